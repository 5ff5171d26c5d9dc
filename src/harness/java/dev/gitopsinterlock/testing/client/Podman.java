package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.run.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The container engine of this machine.
 *
 * @param program with the flags that every command takes
 */
public record Podman(List<String> program) {

    /** Those that podman would set are more than every machine allows. */
    private static final List<String> LIMITS = List.of("--ulimit", "nofile=20000:20000", "--ulimit", "nproc=1024:1024");

    /** With runc, if it is there, which asks less of the kernel than podman's own choice. */
    public static Optional<Podman> find() {
        return Stream.of(List.of("podman", "--runtime", "runc"), List.of("podman"))
                .filter(program -> Command.run(Map.of(), List.of("sh", "-c", String.join(" ", program) + " info"))
                                .exitCode()
                        == 0)
                .map(Podman::new)
                .findFirst();
    }

    /** Takes an image from an archive; returns its name. */
    public String load(Path archive) {
        return run("load", "--quiet", "--input", archive.toString())
                .orFail()
                .out()
                .strip()
                .replaceFirst("^Loaded image: ", "");
    }

    public void remove(String image) {
        run("rmi", "--force", image).orFail();
    }

    /** Why this machine does not let it run containers; empty if it does. */
    public Optional<String> obstacle(String image) {
        var tried = run("run", "--rm", "--entrypoint", "/opt/java/bin/java", image, "-version");
        return tried.exitCode() == 0 ? Optional.empty() : Optional.of(tried.text());
    }

    /**
     * How to start a container as restricted as a Pod can be, in the network of this machine: by the user id and gid 0,
     * read-only, without capabilities, with 256 MiB of memory. It has the variable JAVA_TOOL_OPTIONS of whoever starts
     * it, and ends with SIGTERM.
     *
     * @param mounts folders of this machine, by the place where they appear
     */
    public List<String> starting(String image, int user, Map<String, Path> mounts) {
        var command = new ArrayList<>(program);
        command.addAll(List.of("run", "--rm", "--network", "host", "--user", user + ":0", "--read-only"));
        command.addAll(List.of("--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--memory", "256m"));
        command.addAll(LIMITS);
        mounts.forEach((place, from) -> command.addAll(List.of("--volume", from + ":/" + place + ":ro")));
        command.addAll(List.of("--env", "JAVA_TOOL_OPTIONS", image));
        return command;
    }

    private Command.Result run(String... arguments) {
        var command = new ArrayList<>(program);
        command.addAll(List.of(arguments));
        if (arguments[0].equals("run")) {
            command.addAll(program.size() + 1, LIMITS);
        }
        return Command.run(Map.of(), command);
    }
}
