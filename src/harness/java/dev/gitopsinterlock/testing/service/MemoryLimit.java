package dev.gitopsinterlock.testing.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A cgroup (version 1) with a limit of memory, as a container's; only root may make one. */
public final class MemoryLimit implements AutoCloseable {

    private static final Path MEMORY = Path.of("/sys/fs/cgroup/memory");

    private final Path group;

    private MemoryLimit(Path group) {
        this.group = group;
    }

    public static MemoryLimit ofMebibytes(int limit) {
        try {
            var group = Files.createDirectory(
                    MEMORY.resolve("gitops-interlock-" + ProcessHandle.current().pid()));
            Files.writeString(group.resolve("memory.limit_in_bytes"), Integer.toString(limit << 20));
            return new MemoryLimit(group);
        } catch (IOException e) {
            throw new UncheckedIOException("no memory cgroup, which needs root and cgroups version 1", e);
        }
    }

    /** What becomes a command that is limited; for {@link Interlock.Builder#startedBy}. */
    public List<String> starter() {
        return inGroup(group);
    }

    /** What becomes a command in a cgroup. */
    public static List<String> inGroup(Path group) {
        return List.of("sh", "-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", group.toString());
    }

    public long mebibytesNow() {
        return mebibytes("memory.usage_in_bytes");
    }

    public long mebibytesAtMost() {
        return mebibytes("memory.max_usage_in_bytes");
    }

    private long mebibytes(String file) {
        try {
            return Long.parseLong(Files.readString(group.resolve(file)).strip()) >> 20;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Once nobody is in it any more. */
    @Override
    public void close() {
        try {
            Files.delete(group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
