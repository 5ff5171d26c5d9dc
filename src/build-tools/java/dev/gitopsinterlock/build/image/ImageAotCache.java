package dev.gitopsinterlock.build.image;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.gitopsinterlock.testing.client.RootFileSystem;
import dev.gitopsinterlock.testing.run.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The AOT cache of the image: the classes of {@code src/main/image/classes.lst} as the image's own Java runtime has them
 * in memory, at the paths of the image, with the same bytes from every build.
 *
 * <p>What the JVM would write by itself holds the time since the machine's start, in every soft reference. It is
 * therefore made twice: where the two differ and both have a time in which they were made, there is a zero. The JVM puts
 * its own time there when it needs one. The checksums become zero too; it looks at them only when told to.
 */
final class ImageAotCache {

    private static final int HEADER = 4096;

    private ImageAotCache() {}

    /** A cache as the JVM wrote it, and when that began and ended. */
    private record Dump(ByteBuffer bytes, long begin, long end) {

        boolean spans(long time) {
            return begin <= time && time <= end;
        }
    }

    static void make(ImageRoot root, Origin origin) throws IOException {
        var file = root.folder().resolve("dump.aot");
        var classes = root.folder().resolve("classes.lst");
        Files.copy(ImageRoot.classes(), classes);
        var lent = origin.lend(root.folder());
        try {
            var first = dump(root, origin, file);
            clear(first, dump(root, origin, file));
            Files.write(root.aotCache(), first.bytes().array());
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(classes);
            if (lent.isPresent()) {
                Files.delete(lent.orElseThrow());
            }
        }
        root.normalise();
    }

    private static Dump dump(ImageRoot root, Origin origin, Path file) throws IOException {
        long begin = milliseconds();
        write(root, origin, file);
        return new Dump(ByteBuffer.wrap(Files.readAllBytes(file)), begin, milliseconds());
    }

    /** The clock of the JVM's soft references. */
    private static long milliseconds() {
        return NANOSECONDS.toMillis(System.nanoTime());
    }

    private static void write(ImageRoot root, Origin origin, Path cache) throws IOException {
        var command = new ArrayList<>(List.of("/" + ImageRoot.JAVA + "/bin/java"));
        command.addAll(ImageRoot.jvmFlags());
        command.addAll(List.of(
                "-Xshare:dump",
                "-XX:SharedClassListFile=/classes.lst",
                "-XX:SharedArchiveFile=/" + cache.getFileName(),
                "-XX:+AOTClassLinking",
                // otherwise a collection clears what a slow machine has not used for some 20 s
                "-XX:SoftRefLRUPolicyMSPerMB=1000000",
                "-Xlog:disable",
                "-cp",
                "/" + ImageRoot.APPLICATION + "/quarkus-run.jar"));
        Command.run(Map.of(), new RootFileSystem(root.folder()).writing(origin.running(command)))
                .orFail();
    }

    /** Puts zeros into the first where times and checksums are; if anything else differs, the image is not reproducible. */
    private static void clear(Dump first, Dump second) {
        var cache = first.bytes().order(ByteOrder.nativeOrder());
        var other = second.bytes().order(ByteOrder.nativeOrder());
        if (cache.capacity() != other.capacity()) {
            throw differ(cache.capacity() + " and " + other.capacity() + " bytes");
        }
        for (int at = 0; at < HEADER; at += Integer.BYTES) {
            if (cache.getInt(at) != other.getInt(at)) {
                cache.putInt(at, 0);
            }
        }
        for (int at = HEADER; at < cache.capacity(); at += Long.BYTES) {
            if (cache.getLong(at) != other.getLong(at)) {
                if (!first.spans(cache.getLong(at)) || !second.spans(other.getLong(at))) {
                    throw differ("byte " + at);
                }
                cache.putLong(at, 0);
            }
        }
    }

    private static IllegalStateException differ(String where) {
        return new IllegalStateException("two AOT caches from the same files differ: " + where);
    }
}
