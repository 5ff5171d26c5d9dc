package dev.gitopsinterlock.build.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where what the image has beside the package comes from, for one architecture: Java, and the libraries that Java needs. */
public interface Origin {

    /** As registries name it, for example {@code amd64}. */
    String architecture();

    /** What {@code jlink} is told beside the modules, to make a runtime for that architecture. */
    List<String> jlinkOptions();

    /** The libraries that the runtime's files are linked with: where each stands in the image, and here. */
    Map<Path, Path> libraries(List<Path> linked) throws IOException;

    /** How to run a program of the image, in the image's root, on this machine. */
    List<String> running(List<String> program);

    /** Lays into the image's root what {@link #running} needs there. Nothing, where it needs nothing. */
    Optional<Path> lend(Path root) throws IOException;

    /** The packages that these libraries, and Java where it is packaged, come from. Empty where they are of no package. */
    List<DebianPackage> packages(Map<Path, Path> libraries) throws IOException;

    /** What tells scanners whose packages these are. */
    Optional<Path> osRelease();

    /** The origin for an architecture: {@code native}, which is this machine's, or {@code arm64}. */
    static Origin of(String architecture) throws IOException {
        var machine = new BuildMachine();
        return switch (architecture) {
            case "native" -> machine;
            case "arm64" -> machine.architecture().equals("arm64") ? machine : DebianArm64.fetched();
            default ->
                throw new IllegalArgumentException(
                        "no image for %s can be built here: native or arm64".formatted(architecture));
        };
    }
}
