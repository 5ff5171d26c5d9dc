package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** The objects of one side of a change, as they come together file by file. */
public final class ManifestTree {

    private static final Set<String> SUFFIXES = Set.of("yaml", "yml", "json");

    private static final UUID NOTHING = new UUID(0, 0);

    private static final Pattern RECIPE_FILE =
            Pattern.compile("(kustomization|chart|fleet|helmfile|skaffold|.*values.*)\\.ya?ml");

    private static final Pattern RECIPE_KIND = Pattern.compile(
            "^[\"'{ \\t-]{0,20}\\bkind\\b[\"']?\\s*:\\s*[\"']?(?:Kustomization|Component|HelmRelease|HelmChart|HelmChartConfig|HelmRepository"
                    + "|OCIRepository|GitRepository|Application|ApplicationSet|ResourceSet|ResourceSetInputProvider"
                    + "|GitRepo|Bundle)\\b",
            Pattern.MULTILINE);

    /** Of one file: lists of custom resource definitions have half as much. */
    static final int MAX_FILE = 10 << 20;

    /** Of one side, whose texts are in memory together. */
    private static final int MAX_ALL = 64 << 20;

    private final Manifests reader;
    private final List<Manifest> objects = new ArrayList<>();
    private final Map<String, Unrendered> unrendered = new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private int read;

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
        var text = "";
        var content = NOTHING;
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
            // whatever its encoding is, names of fields and kinds look the same
            var ascii = new String(bytes, ISO_8859_1);
            content = UUID.nameUUIDFromBytes(bytes);
            if (isRecipe(file, ascii)) {
                unrendered.put(path, new Unrendered(file, content));
            }
            if (!reader.mayBeIn(ascii)) {
                // whatever it is: a fixture in another encoding is none of ours
                return;
            }
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            objects.addAll(reader.in(file, path, text));
        } catch (MalformedYaml e) {
            if (text.contains("{{")) {
                unrendered.put(path, new Unrendered(file, content));
            } else {
                problems.add(e.words());
            }
        } catch (CharacterCodingException e) {
            problems.add(file + " is not UTF-8");
        } catch (IOException e) {
            problems.add("cannot read " + file + ": " + e);
        }
    }

    public List<Manifest> objects() {
        return List.copyOf(objects);
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

    /** Whether it says how manifests come to be: its own objects, if any, are not those that Kubernetes gets. */
    private static boolean isRecipe(String file, String text) {
        var name = file.substring(file.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
        return RECIPE_FILE.matcher(name).matches() || RECIPE_KIND.matcher(text).find();
    }
}
