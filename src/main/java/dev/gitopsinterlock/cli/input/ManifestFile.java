package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.cli.yaml.NamedKinds;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file that may hold manifests, and what a look at its text tells of it.
 *
 * @param name for messages
 * @param path below the tree
 * @param isUtf8 otherwise the text is only good for looking what there may be
 * @param id of the content: two files with the same one are the same
 * @param kinds that it names
 * @param custom those of them that custom resources may have, once they were read
 */
record ManifestFile(
        String name,
        String path,
        String text,
        boolean isUtf8,
        UUID id,
        NamedKinds kinds,
        AtomicReference<@Nullable Set<String>> custom) {

    private static final String POINTER = "version https://git-lfs.github.com/";

    private static final Set<String> SUFFIXES = Set.of("yaml", "yml", "json");

    /** Kinds of objects that say how others are applied. */
    static final Set<String> APPLIERS =
            Set.of("Application", "ApplicationSet", "Kustomization", "HelmRelease", "GitRepo");

    private static final Pattern RECIPE_FILE =
            Pattern.compile("(kustomization|chart|fleet|helmfile|skaffold|.*values.*)\\.ya?ml");

    /** Of objects that say how manifests come to be; and of those that a template makes. */
    private static final Set<String> RECIPES = Set.of(
            "Kustomization",
            "Component",
            "HelmRelease",
            "HelmChart",
            "HelmChartConfig",
            "HelmRepository",
            "OCIRepository",
            "GitRepository",
            "Application",
            "ApplicationSet",
            "ResourceSet",
            "ResourceSetInputProvider",
            "GitRepo",
            "Bundle",
            "{{");

    private static final String CUSTOM = "[\\w-]++(?:\\.[\\w-]++)++/\\w++";

    private static final Pattern GROUP_VERSION =
            Pattern.compile("\\bapiVersion\\b[\"']?\\s*+:\\s*+[\"']?(" + CUSTOM + ")");

    /** Neither empty, nor a comment, nor between documents. */
    private static final Pattern CONTENT = Pattern.compile("^[ \\t]*+[^\\s#-]", Pattern.MULTILINE);

    /** Actions of Go's templates, of Jinja, and of ERB and its like. */
    private static final Pattern ACTION = Pattern.compile("\\{\\{|\\{%|<%");

    /** Of ytt, which writes into comments. */
    private static final Pattern YTT = Pattern.compile("(?:^|[ \\t])#@", Pattern.MULTILINE);

    /** Whether a file of this name is one of manifests. */
    static boolean isManifest(String name) {
        return SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /** Whether custom resources can have this {@code apiVersion}. */
    static boolean isCustom(String apiVersion) {
        // which no API server serves
        return apiVersion.matches(CUSTOM) && !apiVersion.startsWith("kustomize.config.k8s.io/");
    }

    static ManifestFile of(String name, String path, byte[] bytes) {
        var text = text(bytes);
        return new ManifestFile(
                name,
                path,
                text,
                Arrays.equals(text.getBytes(UTF_8), bytes),
                UUID.nameUUIDFromBytes(bytes),
                NamedKinds.in(text),
                new AtomicReference<>());
    }

    /** One that is no manifest itself, and is told from others by its bytes. Of its text only the beginning is kept. */
    static ManifestFile ofBytes(String name, String path, byte[] bytes) {
        return new ManifestFile(
                name,
                path,
                text(Arrays.copyOf(bytes, POINTER.length())),
                false,
                UUID.nameUUIDFromBytes(bytes),
                NamedKinds.in(""),
                new AtomicReference<>());
    }

    /** Of a file, as far as it can be looked into. */
    static String text(byte[] bytes) {
        return new String(bytes, isUtf16(bytes) ? UTF_16 : UTF_8);
    }

    /** By its first two bytes, which are no text in any other encoding. */
    private static boolean isUtf16(byte[] bytes) {
        var first = bytes.length < 2 ? 0 : ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
        return first == 0xfeff || first == 0xfffe;
    }

    /** Equal for two files that have the same content in the same place. */
    List<Object> identity() {
        return List.of(path, id);
    }

    /** Whether Git LFS keeps the content elsewhere. */
    boolean isPointer() {
        return text.startsWith(POINTER);
    }

    boolean mayHaveObjects() {
        return kinds.mayHave(kind -> true);
    }

    /** Whether it has no objects, and is not empty either. */
    boolean isOther() {
        return !mayHaveObjects() && CONTENT.matcher(text).find();
    }

    /** Whether it says how manifests come to be: its own objects, if any, are not those that Kubernetes gets. */
    boolean isRecipe() {
        var file = name.substring(name.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return RECIPE_FILE.matcher(file).matches()
                || kinds.names().stream().anyMatch(RECIPES::contains)
                || YTT.matcher(text).find();
    }

    boolean maySayHowOthersAreApplied() {
        return path.endsWith("fleet.yaml") || kinds.mayHave(APPLIERS::contains);
    }

    /** Whether it has to be rendered first. */
    boolean isTemplate() {
        return ACTION.matcher(text).find();
    }

    /** What {@code kind} says in documents that may have custom resources. */
    Set<String> customKinds() {
        var kinds = custom.get();
        if (kinds == null) {
            kinds = NamedKinds.ofCustomResources(text);
            custom.set(kinds);
        }
        return kinds;
    }

    /** What {@code apiVersion} says, of groups that custom resources can have. */
    Stream<String> groupVersions() {
        return GROUP_VERSION.matcher(text).results().map(named -> named.group(1));
    }
}
