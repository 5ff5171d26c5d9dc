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
import java.util.Optional;

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

    private static final int ATTEMPTS = 4;

    private ImageAotCache() {}

    /** A cache as the JVM wrote it, and when that began and ended. */
    private record Dump(ByteBuffer bytes, long begin, long end) {}

    static void make(ImageRoot root, Origin origin) throws IOException {
        var file = root.folder().resolve("dump.aot");
        var classes = root.folder().resolve("classes.lst");
        Files.copy(ImageRoot.classes(), classes);
        var lent = origin.lend(root.folder());
        try {
            Files.write(root.aotCache(), agreed(root, origin, file));
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(classes);
            if (lent.isPresent()) {
                Files.delete(lent.orElseThrow());
            }
        }
        root.normalise();
    }

    /** What two in a row agree on. On a machine under load one differs now and then, because the JVM's threads race. */
    private static byte[] agreed(ImageRoot root, Origin origin, Path file) throws IOException {
        var last = dump(root, origin, file);
        for (int attempt = 1; ; attempt++) {
            var next = dump(root, origin, file);
            var difference = clear(last.bytes().array(), next.bytes().array(), last.begin(), last.end(), next.end());
            if (difference.isEmpty()) {
                return last.bytes().array();
            }
            var words = "two AOT caches from the same files differ: " + difference.get();
            if (attempt == ATTEMPTS) {
                throw new IllegalStateException(words);
            }
            System.out.println(words + "; making another");
            last = next;
        }
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
                "-Xlog:disable",
                "-cp",
                "/" + ImageRoot.APPLICATION + "/quarkus-run.jar"));
        Command.run(Map.of(), new RootFileSystem(root.folder()).writing(origin.running(command)))
                .orFail();
    }

    /** Puts zeros where times and checksums are, or says what else differs: the image would not be reproducible. */
    private static Optional<String> clear(byte[] first, byte[] second, long begin, long middle, long end) {
        if (first.length != second.length) {
            return Optional.of(first.length + " and " + second.length + " bytes");
        }
        var cache = ByteBuffer.wrap(first).order(ByteOrder.nativeOrder());
        var other = ByteBuffer.wrap(second).order(ByteOrder.nativeOrder());
        for (int at = 0; at < HEADER; at += Integer.BYTES) {
            if (cache.getInt(at) != other.getInt(at)) {
                cache.putInt(at, 0);
            }
        }
        for (int at = HEADER; at < first.length; at += Long.BYTES) {
            long one = cache.getLong(at);
            long two = other.getLong(at);
            if (one != two) {
                if (one < begin || one > middle || two < middle || two > end) {
                    return Optional.of("byte " + at);
                }
                cache.putLong(at, 0);
            }
        }
        return Optional.empty();
    }
}
