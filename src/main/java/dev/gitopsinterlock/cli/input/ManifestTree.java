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
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The objects of one side of a change, as they come together file by file. */
public final class ManifestTree {

    private static final Set<String> SUFFIXES = Set.of("yaml", "yml", "json");

    /** Of one file: lists of custom resource definitions have half as much. */
    static final int MAX_FILE = 10 << 20;

    /** Of one side, whose texts are in memory together. */
    private static final int MAX_ALL = 64 << 20;

    private final Manifests reader;
    private final List<Manifest> objects = new ArrayList<>();
    private final List<String> templates = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> links = new ArrayList<>();
    private int read;

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
     * Takes what is in one file. A template of a chart is no manifest yet and is left out.
     *
     * @param file for messages
     * @param path below the tree
     */
    void add(String file, String path, Source source) throws Unreadable {
        var text = "";
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
            if (!reader.mayBeIn(new String(bytes, ISO_8859_1))) {
                // whatever it is: a fixture in another encoding is none of ours
                return;
            }
            text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            objects.addAll(reader.in(file, path, text));
        } catch (MalformedYaml e) {
            if (text.contains("{{")) {
                templates.add(file);
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

    /** Files that have to be rendered first. */
    public List<String> templates() {
        return List.copyOf(templates);
    }
}
