package dev.gitopsinterlock.cli.input;

import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.cli.yaml.JobManifests;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The Jobs of one side of a change, as they come together file by file. */
public final class ManifestTree {

    private static final Set<String> SUFFIXES = Set.of("yaml", "yml", "json");

    private final List<Manifest> jobs = new ArrayList<>();
    private final List<String> templates = new ArrayList<>();

    /** Whether a file of this name is one of manifests. */
    public static boolean isManifest(String name) {
        return SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    }

    /**
     * Takes what is in one file. A template of a chart is no manifest yet and is left out.
     *
     * @param file for messages
     * @param path below the tree
     */
    void add(String file, String path, String text) throws Unreadable {
        try {
            jobs.addAll(JobManifests.in(file, path, text));
        } catch (MalformedYaml e) {
            if (!text.contains("{{")) {
                throw Unreadable.trouble(e.words());
            }
            templates.add(file);
        }
    }

    public List<Manifest> jobs() {
        return List.copyOf(jobs);
    }

    /** Files that have to be rendered first. */
    public List<String> templates() {
        return List.copyOf(templates);
    }
}
