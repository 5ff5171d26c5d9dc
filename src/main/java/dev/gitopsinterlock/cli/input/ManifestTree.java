package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.Appliers.Stated;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.cli.yaml.DefinitionText;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.cli.yaml.NamedKinds;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.edit.Kinds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

/** The objects of one side of a change, as they come together file by file. */
public final class ManifestTree {

    private static final Set<String> SUFFIXES = Set.of("yaml", "yml", "json");

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

    /** Kinds of objects that say how others are applied. */
    static final Set<String> APPLIERS =
            Set.of("Application", "ApplicationSet", "Kustomization", "HelmRelease", "GitRepo");

    private static final Pattern GROUP_VERSION =
            Pattern.compile("\\bapiVersion\\b[\"']?\\s*+:\\s*+[\"']?([\\w-]++(?:\\.[\\w-]++)++/\\w++)");

    /** Neither empty, nor a comment, nor between documents. */
    private static final Pattern CONTENT = Pattern.compile("^[ \\t]*+[^\\s#-]", Pattern.MULTILINE);

    /** Actions of Go's templates, of Jinja, and of ERB and its like. */
    private static final Pattern ACTION = Pattern.compile("\\{\\{|\\{%|<%");

    /** Of one file: lists of custom resource definitions have half as much. */
    public static final int MAX_FILE = 10 << 20;

    /** Of one side, whose texts are in memory together. */
    private static final int MAX_ALL = 64 << 20;

    private static final String FOLDER = "/";

    private final List<Content> contents = new ArrayList<>();
    private final Set<String> kinds = new TreeSet<>();
    private final List<Manifest> objects = new ArrayList<>();
    private final List<Definition> definitions = new ArrayList<>();
    private final List<Content> unrenderedDefinitions = new ArrayList<>();
    private final Map<String, Unrendered> unrendered = new LinkedHashMap<>();
    private final Map<String, String> others = new LinkedHashMap<>();
    private final List<Stated> stated = new ArrayList<>();
    private final List<String> malformed = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private Manifests reader;
    private List<RenderedFolder> folders = List.of();
    private int read;

    /**
     * What may hold objects of kinds that only become known.
     *
     * @param isUtf8 otherwise the text is only good for looking what there may be
     * @param id by which two are told apart
     */
    private record Content(String file, String path, String text, boolean isUtf8, UUID id, NamedKinds kinds) {

        List<Object> identity() {
            return List.of(path, id);
        }
    }

    /**
     * A file that has to be rendered first.
     *
     * @param content by which two are told apart
     */
    private record Unrendered(String file, UUID content) {}

    /** An empty one, whose files are read so. */
    public ManifestTree(Manifests reader) {
        this.reader = reader;
    }

    /** Whether a file of this name is one of manifests. */
    public static boolean isManifest(String name) {
        return SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /** Opens a file. */
    interface Source {
        InputStream open() throws IOException, Unreadable;
    }

    /**
     * Takes what is in one file. What has to be rendered first, such as a template of a chart, is left out.
     *
     * @param file for messages
     * @param path below the tree
     */
    void add(String file, String path, Source source) throws Unreadable {
        try (var in = source.open()) {
            var bytes = in.readNBytes(MAX_FILE + 1);
            read += bytes.length;
            if (read > MAX_ALL) {
                throw Unreadable.trouble("more than 64 MiB to read: name fewer files or folders");
            }
            if (bytes.length > MAX_FILE) {
                problems.add(file + " is larger than 10 MiB");
                return;
            }
            var text = text(bytes);
            if (text.startsWith("version https://git-lfs.github.com/")) {
                problems.add(file + " is a pointer of Git LFS: fetch what it points to (git lfs pull)");
                return;
            }
            var named = NamedKinds.in(text);
            var isAny = named.mayHave(kind -> true);
            var id = UUID.nameUUIDFromBytes(bytes);
            if (!isAny && CONTENT.matcher(text).find()) {
                others.put(path, file);
            }
            if (isRecipe(file, named)) {
                leaveOut(path, file, id);
            }
            if (path.endsWith("fleet.yaml") || named.mayHave(APPLIERS::contains)) {
                Manifests.all(text).forEach(object -> stated.add(new Stated(path, object)));
            }
            if (isAny) {
                kinds.addAll(named.names());
                var content = new Content(file, path, text, Arrays.equals(text.getBytes(UTF_8), bytes), id, named);
                contents.add(content);
                addObjects(content);
            }
        } catch (IOException e) {
            problems.add("cannot read " + file + ": " + e);
        }
    }

    /** Names a file that something is rendered from, and that is no manifest itself. */
    void addIngredient(String file, String path, Source source) throws Unreadable {
        try (var in = source.open()) {
            leaveOut(path, file, UUID.nameUUIDFromBytes(in.readNBytes(MAX_FILE + 1)));
        } catch (IOException e) {
            problems.add("cannot read " + file + ": " + e);
        }
    }

    /** Takes the objects of other kinds, too, out of what was read. */
    public void readAgain(Manifests reader) {
        this.reader = reader;
        objects.clear();
        definitions.clear();
        malformed.clear();
        unrenderedDefinitions.clear();
        contents.forEach(this::addObjects);
    }

    private void addObjects(Content content) {
        var file = content.file();
        var path = content.path();
        var text = content.text();
        var isOfDefinitions = DefinitionText.mayBeIn(text, content.kinds());
        // whatever it is otherwise: a fixture in another encoding is none of ours
        if (!reader.mayBeAmong(content.kinds()) && !isOfDefinitions) {
            return;
        }
        if (!content.isUtf8()) {
            problems.add(file + " is not UTF-8");
            return;
        }
        try {
            definitions.addAll(DefinitionText.in(file, text, reader));
            if (!isIn(path, folders) || isRendered(path)) {
                for (var manifest : reader.in(file, path, text)) {
                    addObject(manifest, content);
                }
            }
        } catch (MalformedYaml e) {
            if (ACTION.matcher(text).find()) {
                leaveOut(path, file, content.id());
                if (isOfDefinitions && !isIn(path, folders)) {
                    unrenderedDefinitions.add(content);
                }
            } else {
                malformed.add(e.words());
            }
        }
    }

    private void addObject(Manifest manifest, Content content) {
        var wrong = Kinds.malformed(manifest.object());
        if (reader.isWhole(manifest)) {
            objects.add(manifest);
        } else if (wrong.isPresent()) {
            var place = manifest.text().of(wrong.get());
            malformed.add("%s:%d:%d: %s is not checked: %s has to be a map"
                    .formatted(
                            place.file(),
                            place.line(),
                            place.column(),
                            manifest.id().toString().strip(),
                            wrong.get()));
        } else {
            leaveOut(content.path(), content.file(), content.id());
        }
    }

    private void leaveOut(String path, String file, UUID content) {
        if (!isIn(path, folders)) {
            unrendered.put(path, new Unrendered(file, content));
        }
    }

    /**
     * This one with what folders of it are rendered to, instead of what they are rendered from.
     *
     * @param tree on the disk
     * @param repository whose values for charts are not used, and named
     */
    public ManifestTree rendered(List<RenderedFolder> folders, Path tree, List<Stated> repository) throws Unreadable {
        var rendered = new ManifestTree(reader);
        rendered.folders = folders;
        rendered.contents.addAll(contents);
        rendered.kinds.addAll(kinds);
        rendered.stated.addAll(stated);
        rendered.definitions.addAll(definitions);
        rendered.links.addAll(links);
        rendered.problems.addAll(problems);
        rendered.malformed.addAll(malformed);
        objects.stream().filter(each -> !isIn(each.path(), folders)).forEach(rendered.objects::add);
        unrendered.forEach((path, each) -> {
            if (!isIn(path, folders)) {
                rendered.unrendered.put(path, each);
            }
        });
        for (var folder : folders) {
            rendered.addRendered(folder, tree);
            if (folder.isChart()) {
                Appliers.valuesOf(folder.path(), repository).forEach(file -> {
                    var words = folder.title() + " with the values in " + file;
                    rendered.leaveOut(words, words, UUID.nameUUIDFromBytes(words.getBytes(UTF_8)));
                });
            }
        }
        return rendered;
    }

    /** Whether a manifest of this path was rendered from a folder, and is in no file. */
    public static boolean isRendered(String path) {
        return path.endsWith(FOLDER);
    }

    private void addRendered(RenderedFolder folder, Path tree) throws Unreadable {
        try {
            var text = folder.render(tree).getBytes(UTF_8);
            add(folder.title(), folder.path() + FOLDER, () -> new ByteArrayInputStream(text));
        } catch (Unreadable e) {
            problems.add(e.getMessage());
        }
    }

    private static boolean isIn(String path, List<RenderedFolder> folders) {
        return folders.stream().anyMatch(folder -> folder.has(path));
    }

    public List<Manifest> objects() {
        return List.copyOf(objects);
    }

    /** What {@code kind} says anywhere. */
    public List<String> kinds() {
        return List.copyOf(kinds);
    }

    /** What {@code apiVersion} says anywhere, of groups that custom resources can have. */
    public List<String> groupVersions() {
        return contents.stream()
                .flatMap(content -> GROUP_VERSION.matcher(content.text()).results())
                .map(named -> named.group(1))
                .distinct()
                .sorted()
                .toList();
    }

    /** Objects that may say how others are applied, and all that is in the same files. */
    public List<Stated> stated() {
        return List.copyOf(stated);
    }

    /** Of custom resources: those with transition rules, and of kinds that are known. */
    public List<Definition> definitions() {
        return List.copyOf(definitions);
    }

    /** A sentence for each file that may hold more definitions. */
    public List<String> unreadDefinitions() {
        var unread = new ArrayList<>(problems);
        unread.addAll(malformed);
        unrenderedDefinitions.forEach(
                each -> unread.add(each.file() + " is a template: name what helm template --include-crds prints"));
        return unread;
    }

    /**
     * Files with templates that may define one of these kinds.
     *
     * @param rendered what is rendered in there is not left out
     */
    public List<String> unrenderedDefinitions(Set<String> kinds, ManifestTree rendered) {
        return unrenderedDefinitions.stream()
                .filter(each -> each.kinds().mayHave(kinds::contains) && !isIn(each.path(), rendered.folders))
                .map(Content::file)
                .toList();
    }

    /** What {@code kind} says in files that are not the same in the tree before. */
    public Set<String> changedKinds(ManifestTree before) {
        var same = before.contents.stream().map(Content::identity).collect(toSet());
        return contents.stream()
                .filter(each -> !same.contains(each.identity()))
                .flatMap(each -> each.kinds().names().stream())
                .collect(toSet());
    }

    /** Leaves a link out: it may lead anywhere, and what is below the tree is looked at where it is. */
    void addLink(String file) {
        links.add(file);
    }

    /** What is not followed. */
    public List<String> links() {
        return List.copyOf(links);
    }

    /** A sentence for each file that cannot be read. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** A sentence for each file that is no YAML, and each object that is malformed, which nothing can have applied. */
    public List<String> malformed() {
        return List.copyOf(malformed);
    }

    /** Files without any object, which had some in the tree before: what wrote them may have failed. */
    public List<String> emptied(ManifestTree before) {
        var had = before.objects.stream().map(Manifest::path).collect(toSet());
        return others.entrySet().stream()
                .filter(each -> had.contains(each.getKey()))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Files that have to be rendered first, and that are not the same in the tree before. */
    public List<String> unrendered(ManifestTree before) {
        return unrendered.entrySet().stream()
                .filter(each -> !before.has(each.getKey(), each.getValue().content()))
                .map(each -> each.getValue().file())
                .toList();
    }

    private boolean has(String path, UUID content) {
        var before = unrendered.get(path);
        return before != null && before.content().equals(content);
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

    /** Whether it says how manifests come to be: its own objects, if any, are not those that Kubernetes gets. */
    private static boolean isRecipe(String file, NamedKinds named) {
        var name = file.substring(file.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return RECIPE_FILE.matcher(name).matches() || named.names().stream().anyMatch(RECIPES::contains);
    }
}
