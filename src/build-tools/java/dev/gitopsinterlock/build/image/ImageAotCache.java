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

    /** Thrown when the JVM writes more than times differently; the image would not be reproducible. */
    private static IllegalStateException differs(String what) {
        return new IllegalStateException("two AOT caches from the same files differ: " + what);
    }

    static void make(ImageRoot root, Origin origin) throws IOException {
        var first = root.folder().resolve("first.aot");
        var second = root.folder().resolve("second.aot");
        var classes = root.folder().resolve("classes.lst");
        Files.copy(ImageRoot.classes(), classes);
        var lent = origin.lend(root.folder());
        try {
            long begin = milliseconds();
            write(root, origin, first);
            long middle = milliseconds();
            write(root, origin, second);
            long end = milliseconds();
            var cache = Files.readAllBytes(first);
            clear(cache, Files.readAllBytes(second), begin, middle, end);
            Files.write(root.aotCache(), cache);
        } finally {
            for (var file : List.of(first, second, classes)) {
                Files.deleteIfExists(file);
            }
            if (lent.isPresent()) {
                Files.delete(lent.orElseThrow());
            }
        }
        root.normalise();
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

    /** Puts zeros where times and checksums are. */
    static void clear(byte[] first, byte[] second, long begin, long middle, long end) {
        if (first.length != second.length) {
            throw differs(first.length + " and " + second.length + " bytes");
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
                    throw differs("byte " + at);
                }
                cache.putLong(at, 0);
            }
        }
    }
}
