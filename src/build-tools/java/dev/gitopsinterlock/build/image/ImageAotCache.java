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
 * therefore made until two agree: where they differ and both have a time in which they were made, there is a zero. The JVM
 * puts its own time there when it needs one. The checksums become zero too; it looks at them only when told to. Two that are
 * made one after the other agree, except where an emulator runs the JVM on a machine that is busy: there its threads make the
 * methods behind method handles in another order each time. One of these caches is as good as another, so the last one is
 * taken, whole, and a line says that nobody can build the same image again.
 */
final class ImageAotCache {

    private static final int HEADER = 4096;
    private static final int MOST_DUMPS = 3;

    private ImageAotCache() {}

    /** A cache as the JVM wrote it, and when that began and ended. */
    record Dump(ByteBuffer bytes, long begin, long end) {

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

    private static byte[] agreed(ImageRoot root, Origin origin, Path file) throws IOException {
        var dumps = new ArrayList<>(List.of(dump(root, origin, file)));
        while (dumps.size() < MOST_DUMPS) {
            var next = dump(root, origin, file);
            for (var earlier : dumps) {
                if (differs(next, earlier).isEmpty()) {
                    return cleared(next, earlier);
                }
            }
            dumps.add(next);
        }
        System.out.printf(
                "image: %d AOT caches from the same files differ (%s): no other build will give the same image%n",
                MOST_DUMPS, differs(dumps.getLast(), dumps.getFirst()).orElseThrow());
        return cleared(dumps.getLast(), dumps.getFirst());
    }

    private static Dump dump(ImageRoot root, Origin origin, Path file) throws IOException {
        long begin = milliseconds();
        write(root, origin, file);
        return new Dump(
                ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder()), begin, milliseconds());
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

    /** Where the two differ by anything but times and checksums, which would make the image one that nobody can build again. */
    private static Optional<String> differs(Dump one, Dump other) {
        if (one.bytes().capacity() != other.bytes().capacity()) {
            return Optional.of(one.bytes().capacity() + " and " + other.bytes().capacity() + " bytes");
        }
        for (int at = HEADER; at < one.bytes().capacity(); at += Long.BYTES) {
            var word = one.bytes().getLong(at);
            var others = other.bytes().getLong(at);
            if (word != others && !(one.spans(word) && other.spans(others))) {
                return Optional.of("byte " + at);
            }
        }
        return Optional.empty();
    }

    /** The one, with zeros where times and checksums are; what is neither stays as this one has it. */
    static byte[] cleared(Dump one, Dump other) {
        var bytes = new byte[one.bytes().capacity()];
        one.bytes().get(0, bytes);
        var cache = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        var shared = Math.min(cache.capacity(), other.bytes().capacity());
        for (int at = 0; at < HEADER; at += Integer.BYTES) {
            if (cache.getInt(at) != other.bytes().getInt(at)) {
                cache.putInt(at, 0);
            }
        }
        for (int at = HEADER; at < shared; at += Long.BYTES) {
            var word = cache.getLong(at);
            var others = other.bytes().getLong(at);
            if (word != others && one.spans(word) && other.spans(others)) {
                cache.putLong(at, 0);
            }
        }
        return bytes;
    }
}
