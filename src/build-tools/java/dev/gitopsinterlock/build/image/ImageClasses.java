package dev.gitopsinterlock.build.image;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;

import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Writes the list of the classes that the service needs, as the image's Java runtime loads them in the training. */
final class ImageClasses {

    private ImageClasses() {}

    public static void main(String[] args) throws IOException {
        System.out.println("image: listing the classes of a training, about 30 s");
        var root = ImageRoot.assemble(Project.directory().resolve("target/image/root"), new BuildMachine());
        Files.write(ImageRoot.classes(), used(root));
    }

    /** What one training uses. Two of them differ by a few, because threads race. */
    static Set<String> used(ImageRoot root) throws IOException {
        var list = Files.createTempFile("classes", ".lst");
        AotTraining.train(
                root.java(),
                root.application(),
                List.of("-XX:DumpLoadedClassList=" + list, "-Djava.library.path=" + root.nativeLibraries()));
        // what a line about a constant pool or a lambda needs has to come before it: the JVM passes over unknown
        // classes
        var classes = new TreeSet<String>(
                comparing((String line) -> line.startsWith("@")).thenComparing(naturalOrder()));
        for (var line : Files.readAllLines(list)) {
            if (!line.startsWith("#")) {
                classes.add(line.replaceFirst(" id:.*", ""));
            }
        }
        Files.delete(list);
        return classes;
    }
}
