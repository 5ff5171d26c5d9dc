package dev.gitopsinterlock.build.image;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.cloud.tools.jib.api.Containerizer;
import com.google.cloud.tools.jib.api.Jib;
import com.google.cloud.tools.jib.api.JibContainer;
import com.google.cloud.tools.jib.api.TarImage;
import com.google.cloud.tools.jib.api.buildplan.AbsoluteUnixPath;
import com.google.cloud.tools.jib.api.buildplan.FileEntriesLayer;
import com.google.cloud.tools.jib.api.buildplan.FilePermissions;
import com.google.cloud.tools.jib.api.buildplan.ImageFormat;
import com.google.cloud.tools.jib.api.buildplan.Platform;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Builds the image from the package, without a daemon: {@code target/image} has it as an archive, as a folder, and what is
 * said about it. Two builds of one commit by the same JDK and glibc give the same bytes.
 */
public final class ImageBuild {

    public static final Path FOLDER = Project.directory().resolve("target/image");
    public static final Path ARCHIVE = FOLDER.resolve("gitops-interlock.tar");
    public static final Path BILL_OF_MATERIALS = FOLDER.resolve("gitops-interlock.cdx.json");

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String USER = "65532:65532";

    /** The layers, the one that changes least first; a file is in the first that it belongs to. */
    private static final Map<String, List<String>> LAYERS = layers();

    private ImageBuild() {}

    /**
     * Builds it: {@code target/image} is of this machine's architecture, {@code target/image-arm64} is the other one.
     *
     * @param args version, time of the build (ISO 8601), architecture (native or arm64)
     */
    public static void main(String[] args) throws Exception {
        var version = args[0];
        var origin = Origin.of(args[2]);
        var folder = origin instanceof BuildMachine ? FOLDER : folder(origin.architecture());
        var archive = folder.resolve(ARCHIVE.getFileName());
        System.out.println("image: linking a Java runtime, copying files");
        var root = ImageRoot.assemble(folder.resolve("root"), origin);
        root.add(Licences.of(libraries()));
        System.out.println("image: making its AOT cache twice, to see that both are the same; about 20 s");
        ImageAotCache.make(root, origin);
        System.out.println("image: packing");
        var container = pack(root, origin.architecture(), archive, version, Instant.parse(args[1]));
        JSON.writeValue(folder.resolve("config.json").toFile(), JSON.readTree(ImageArchive.config(archive)));
        Files.writeString(folder.resolve("digest"), container.getDigest() + "\n");
        describe(root, folder.resolve(BILL_OF_MATERIALS.getFileName()));
        System.out.printf(
                "%s%n%s%n%.1f MB compressed, %.1f MB unpacked%n",
                Project.directory().relativize(archive),
                container.getDigest(),
                Files.size(archive) / 1e6,
                ImageArchive.entries(archive).stream()
                                .mapToLong(entry -> entry.getSize())
                                .sum()
                        / 1e6);
    }

    /** Whether the archive is newer than the package and what else it is made of. */
    public static boolean isCurrent() {
        return Stream.of(Interlock.APPLICATION.resolve("quarkus-run.jar"), Interlock.JVM_FLAGS, ImageRoot.classes())
                .allMatch(source ->
                        ARCHIVE.toFile().lastModified() > source.toFile().lastModified());
    }

    /** Where the image of an architecture is built that is not this machine's. */
    public static Path folder(String architecture) {
        return FOLDER.resolveSibling("image-" + architecture);
    }

    private static Map<String, List<String>> layers() {
        var layers = new LinkedHashMap<String, List<String>>();
        layers.put("java", List.of("opt/java"));
        layers.put("libraries", List.of("opt/gitops-interlock/lib"));
        layers.put("application", List.of("opt/gitops-interlock"));
        layers.put("system", List.of());
        return layers;
    }

    /** Packs the files of the folder into an archive for {@code docker load} and {@code podman load}. */
    public static JibContainer pack(ImageRoot root, String architecture, Path archive, String version, Instant created)
            throws Exception {
        var image = Jib.fromScratch()
                .setFormat(ImageFormat.Docker)
                .setPlatforms(Set.of(new Platform(architecture, "linux")))
                .setCreationTime(created)
                .setUser(USER)
                .setWorkingDirectory(AbsoluteUnixPath.get("/" + ImageRoot.APPLICATION))
                .setEntrypoint(entrypoint())
                .setLabels(labels(version, created));
        image.setFileEntriesLayers(fileLayers(root));
        var caches = Files.createTempDirectory("jib");
        var containerizer = Containerizer.to(TarImage.at(archive).named("gitops-interlock:" + version))
                .setToolName("gitops-interlock")
                .setBaseImageLayersCache(caches)
                .setApplicationLayersCache(caches)
                .setOfflineMode(true);
        try {
            return image.containerize(containerizer);
        } finally {
            ImageRoot.delete(caches);
        }
    }

    private static List<String> entrypoint() throws IOException {
        var command = new ArrayList<String>();
        command.add("/" + ImageRoot.JAVA + "/bin/java");
        command.addAll(ImageRoot.jvmFlags());
        command.add("-XX:AOTCache=/" + ImageRoot.AOT_CACHE);
        command.add("-jar");
        command.add("/" + ImageRoot.APPLICATION + "/quarkus-run.jar");
        return command;
    }

    private static Map<String, String> labels(String version, Instant created) {
        var labels = new LinkedHashMap<String, String>();
        labels.put("org.opencontainers.image.title", "gitops-interlock");
        labels.put(
                "org.opencontainers.image.description",
                "An admission webhook that makes Kubernetes Jobs and OpenShift MachineConfigs behave under GitOps");
        labels.put("org.opencontainers.image.version", version);
        labels.put("org.opencontainers.image.licenses", "Apache-2.0");
        labels.put("org.opencontainers.image.created", created.toString());
        var commit =
                Command.run(Map.of(), List.of("git", "-C", Project.directory().toString(), "rev-parse", "HEAD"));
        if (commit.exitCode() == 0) {
            labels.put("org.opencontainers.image.revision", commit.out().strip());
        }
        return labels;
    }

    private static List<FileEntriesLayer> fileLayers(ImageRoot root) throws IOException {
        var layers = new LinkedHashMap<String, FileEntriesLayer.Builder>();
        LAYERS.forEach(
                (name, folders) -> layers.put(name, FileEntriesLayer.builder().setName(name)));
        try (var files = Files.walk(root.folder())) {
            for (var file :
                    files.filter(file -> !file.equals(root.folder())).sorted().toList()) {
                var place = root.folder().relativize(file);
                layers.computeIfAbsent(
                                layer(place), name -> FileEntriesLayer.builder().setName(name))
                        .addEntry(
                                file,
                                AbsoluteUnixPath.get("/" + place),
                                FilePermissions.fromPosixFilePermissions(Files.getPosixFilePermissions(file)),
                                ImageRoot.TIME);
            }
        }
        return layers.values().stream().map(FileEntriesLayer.Builder::build).toList();
    }

    private static String layer(Path place) {
        return LAYERS.entrySet().stream()
                .filter(layer -> layer.getValue().stream().anyMatch(place::startsWith))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("system");
    }

    /** Adds to the libraries, which the build has listed, what comes from the machine that built the image. */
    private static void describe(ImageRoot root, Path file) throws IOException {
        var bill = libraries();
        var components = bill.withArray("/components");
        components.add(javaRuntime(root.java()));
        for (var source : root.packages()) {
            components.add(component(root.distribution(), source.name(), source.version())
                    .put("purl", source.purl(root.distribution())));
        }
        if (root.packages().isEmpty()) {
            components.add(component("GNU", "glibc", BuildMachine.glibc()));
        }
        JSON.writeValue(file.toFile(), bill);
    }

    /** A Java runtime, as it says itself. */
    public static ObjectNode javaRuntime(Path java) throws IOException {
        var release = new Properties();
        try (var text = Files.newBufferedReader(java.resolve("release"))) {
            release.load(text);
        }
        return component(
                release.getProperty("IMPLEMENTOR", "").replace("\"", ""),
                "java-runtime",
                release.getProperty("JAVA_RUNTIME_VERSION", release.getProperty("JAVA_VERSION", ""))
                        .replace("\"", ""));
    }

    /** The bill of materials that the build has made. */
    public static ObjectNode libraries() throws IOException {
        var bill = Project.directory().resolve("target/bom.json");
        if (Files.notExists(bill)) {
            throw new IllegalStateException("target/bom.json is missing; run: make image");
        }
        return (ObjectNode) JSON.readTree(bill.toFile());
    }

    private static ObjectNode component(String publisher, String name, String version) {
        return JSON.createObjectNode()
                .put("type", "library")
                .put("bom-ref", name + "@" + version)
                .put("publisher", publisher)
                .put("name", name)
                .put("version", version);
    }
}
