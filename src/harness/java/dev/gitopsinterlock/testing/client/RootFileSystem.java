package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.run.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A folder that processes have as their root: read-only, with this machine's /proc and /dev, network and processes. It
 * takes {@code unshare} and {@code chroot}; who is not root needs user namespaces.
 *
 * @param folder with the mount points, empty
 */
public record RootFileSystem(Path folder) {

    private static final String ENTER = """
            root=$1 user=$2 write=$3; shift 3
            mount --rbind "$root" "$root"
            while [ "$1" != -- ]; do mount --rbind "$1" "$root/$2"; shift 2; done; shift
            [ "$write" = true ] || mount -o remount,bind,ro "$root"
            exec chroot $user "$root" "$@"
            """;

    /** Whether processes can have any user id, or root's only. */
    public static boolean canChooseUser() {
        return System.getProperty("user.name").equals("root");
    }

    /** Whether this machine lets us. */
    public boolean canBeEntered() {
        return Command.run(Map.of(), reading(1, Map.of(), List.of("/opt/java/bin/java", "-version")))
                        .exitCode()
                == 0;
    }

    /** How to start a program that may write. */
    public List<String> writing(List<String> program) {
        return entering("", true, Map.of(), program);
    }

    /**
     * How to start a program that may not write, by the user id where it can be chosen, and gid 0.
     *
     * @param mounts folders of this machine, by the place where they appear
     */
    public List<String> reading(int user, Map<String, Path> mounts, List<String> program) {
        return entering(
                canChooseUser() ? "--userspec=" + Integer.toUnsignedString(user) + ":0 --groups=" : "",
                false,
                mounts,
                program);
    }

    private List<String> entering(String user, boolean write, Map<String, Path> mounts, List<String> program) {
        var command = new ArrayList<>(List.of("unshare", "--mount"));
        if (!canChooseUser()) {
            command.add("--map-root-user");
        }
        command.addAll(List.of("sh", "-euc", ENTER, "sh", folder.toString(), user, Boolean.toString(write)));
        command.addAll(List.of("/proc", "proc", "/dev", "dev"));
        mounts.forEach((place, from) -> command.addAll(List.of(from.toString(), place)));
        command.add("--");
        command.addAll(program);
        return command;
    }
}
