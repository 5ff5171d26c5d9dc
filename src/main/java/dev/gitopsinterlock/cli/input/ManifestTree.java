package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.Appliers.Stated;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.cli.yaml.DefinitionText;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.edit.Kinds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The objects of one side of a change, as they come together file by file. It is longer than others, because each file is
 * read once, for all that is asked of it.
 */
public final class ManifestTree {

    /** Of one file: lists of custom resource definitions have half as much. */
    public static final int MAX_FILE = 10 << 20;

    /** Of one side, whose texts are in memory together. */
    private static final int MAX_ALL = 64 << 20;

    private static final String FOLDER = "/";

    private final List<ManifestFile> files = new ArrayList<>();
    private final List<Manifest> objects = new ArrayList<>();
    private final List<Definition> definitions = new ArrayList<>();
    private final List<ManifestFile> unrenderedDefinitions = new ArrayList<>();
    private final Map<String, ManifestFile> unrendered = new LinkedHashMap<>();
    private final Map<String, String> others = new LinkedHashMap<>();
    private final List<Stated> stated = new ArrayList<>();
    private final List<String> malformed = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private Manifests reader;
    private List<Definition> published = List.of();
    private List<RenderedFolder> folders = List.of();
    private int read;

    /** An empty one, whose files are read so. */
    public ManifestTree(Manifests reader) {
        this.reader = reader;
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
            add(ManifestFile.of(file, path, bytes));
        } catch (IOException e) {
            problems.add("cannot read " + file + ": " + e);
        }
    }

    private void add(ManifestFile file) {
        if (file.isPointer()) {
            problems.add(
                    file.name()
                            + " is a pointer of Git LFS: run git lfs pull, and name files or folders, for --git sees the pointer alone");
            return;
        }
        if (file.isOther()) {
            others.put(file.path(), file.name());
        }
        if (file.isRecipe()) {
            leaveOut(file);
        }
        if (file.maySayHowOthersAreApplied()) {
            Manifests.all(file.text()).forEach(object -> stated.add(new Stated(file.path(), object)));
        }
        if (file.mayHaveObjects()) {
            files.add(file);
            addObjects(file);
        }
    }

    /** Takes definitions that are in no file, because the cluster itself has them. */
    public void define(List<Definition> published) {
        this.published = published;
        definitions.addAll(published);
    }

    /** Names a file that something is rendered from, and that is no manifest itself. */
    void addIngredient(String file, String path, Source source) throws Unreadable {
        try (var in = source.open()) {
            var bytes = in.readNBytes(MAX_FILE + 1);
            if (bytes.length > MAX_FILE) {
                problems.add(file + " is larger than 10 MiB");
            } else {
                leaveOut(ManifestFile.ofBytes(file, path, bytes));
            }
        } catch (IOException e) {
            problems.add("cannot read " + file + ": " + e);
        }
    }

    /** Takes the objects of other kinds, too, out of what was read. */
    public void readAgain(Manifests reader) {
        this.reader = reader;
        objects.clear();
        definitions.clear();
        definitions.addAll(published);
        malformed.clear();
        unrenderedDefinitions.clear();
        files.forEach(this::addObjects);
    }

    private void addObjects(ManifestFile file) {
        var isOfDefinitions = DefinitionText.mayBeIn(file.text(), file.kinds());
        // whatever it is otherwise: a fixture in another encoding is none of ours
        if (!reader.mayBeAmong(file.kinds()) && !isOfDefinitions) {
            return;
        }
        if (!file.isUtf8()) {
            problems.add(file.name() + " is not UTF-8");
            return;
        }
        try {
            definitions.addAll(DefinitionText.in(file.name(), file.text(), reader));
            if (isRead(file)) {
                reader.in(file.name(), file.path(), file.text()).forEach(manifest -> addObject(manifest, file));
            }
        } catch (MalformedYaml e) {
            if (file.isTemplate()) {
                leaveOut(file);
                if (isOfDefinitions && !isIn(file.path(), folders)) {
                    unrenderedDefinitions.add(file);
                }
            } else {
                malformed.add(e.words());
            }
        }
    }

    private void addObject(Manifest manifest, ManifestFile file) {
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
            leaveOut(file);
        }
    }

    private void leaveOut(ManifestFile file) {
        // a pointer is rendered, and what it points to is not
        if (file.isPointer() || !isIn(file.path(), folders)) {
            unrendered.put(file.path(), file);
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
        rendered.files.addAll(files);
        rendered.stated.addAll(stated);
        rendered.definitions.addAll(definitions);
        rendered.links.addAll(links);
        rendered.problems.addAll(problems);
        rendered.malformed.addAll(malformed);
        objects.stream().filter(each -> !isIn(each.path(), folders)).forEach(rendered.objects::add);
        unrendered.values().forEach(rendered::leaveOut);
        unrenderedDefinitions.stream()
                .filter(each -> !isIn(each.path(), folders))
                .forEach(rendered.unrenderedDefinitions::add);
        for (var folder : folders) {
            rendered.addRendered(folder, tree);
            if (folder.isChart()) {
                Appliers.valuesOf(folder.path(), repository).forEach(file -> {
                    var words = folder.title() + " with the values in " + file;
                    rendered.leaveOut(ManifestFile.of(words, words, words.getBytes(UTF_8)));
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

    /** Otherwise it is what others are rendered from. */
    private boolean isRead(ManifestFile file) {
        return !isIn(file.path(), folders) || isRendered(file.path());
    }

    private static boolean isIn(String path, List<RenderedFolder> folders) {
        return folders.stream().anyMatch(folder -> folder.has(path));
    }

    public List<Manifest> objects() {
        return List.copyOf(objects);
    }

    /** What {@code kind} says in documents that may have custom resources. */
    public List<String> customKinds() {
        return named(file -> file.customKinds().stream());
    }

    /** What {@code apiVersion} says anywhere, of groups that custom resources can have. */
    public List<String> groupVersions() {
        return named(ManifestFile::groupVersions);
    }

    /** All objects of groups that custom resources can have. What is no YAML is left out. */
    public List<JsonNode> customObjects() {
        return files.stream()
                .filter(file -> file.groupVersions().findAny().isPresent() && isRead(file))
                .flatMap(file -> Manifests.all(file.text()).stream())
                .filter(object ->
                        ManifestFile.isCustom(object.path("apiVersion").asText()))
                .toList();
    }

    private List<String> named(Function<ManifestFile, Stream<String>> names) {
        return files.stream().flatMap(names).distinct().sorted().toList();
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
                each -> unread.add(each.name() + " is a template: name what helm template --include-crds prints"));
        return unread;
    }

    /** Whether there are templates of definitions, of whatever kinds. */
    public boolean hasUnrenderedDefinitions() {
        return !unrenderedDefinitions.isEmpty();
    }

    /**
     * Files with templates that may define one of these kinds.
     *
     * @param rendered what is rendered in there is not left out
     */
    public List<String> unrenderedDefinitions(Set<String> kinds, ManifestTree rendered) {
        return unrenderedDefinitions.stream()
                .filter(each -> each.kinds().mayHave(kinds::contains) && !isIn(each.path(), rendered.folders))
                .map(ManifestFile::name)
                .toList();
    }

    /** What {@code kind} says in documents that may have custom resources, of files that differ from the tree before. */
    public Set<String> changedCustomKinds(ManifestTree before) {
        var same = before.files.stream().map(ManifestFile::identity).collect(toSet());
        return files.stream()
                .filter(each -> !same.contains(each.identity()))
                .flatMap(file -> file.customKinds().stream())
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
        return unrendered.values().stream()
                .filter(file -> !before.has(file))
                .map(ManifestFile::name)
                .toList();
    }

    private boolean has(ManifestFile file) {
        var before = unrendered.get(file.path());
        return before != null && before.id().equals(file.id());
    }
}
