package dev.gitopsinterlock.cli.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.util.stream.Collectors.toSet;

import dev.gitopsinterlock.check.Appliers.Stated;
import dev.gitopsinterlock.cli.input.ManifestTree.Source;
import dev.gitopsinterlock.cli.yaml.DefinitionText;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.cli.yaml.NamedKinds;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What changed between two revisions of a Git repository, or since one in the work tree: both sides of every changed
 * manifest. Asks the program {@code git}, which reads only.
 */
public final class GitRange {

    private static final String ABSENT = "000000";
    private static final String FILE = "100644";
    private static final String LINK = "120000";

    /** A symbolic link, and what leads to another repository. */
    private static final Set<String> LINKS = Set.of(LINK, "160000");

    private static final String NO_BLOB = "0";

    /** Of lines that may have a transition rule: as it is, in UTF-16, and with a letter or the end of a line escaped. */
    private static final Set<String> RULES = Set.of(
            "oldSelf", "o[^a]l[^a]d[^a]S[^a]e[^a]l[^a]f", "\\\\(x|u00|U000000)(6[fFcC456]|53)", "\\\\[[:space:]]?$");

    private final Path directory;
    private final String start;
    private final String end;
    private final boolean isWorkTree;
    private final Manifests reader;
    private final List<Entry> base = new ArrayList<>();
    private final List<Entry> target = new ArrayList<>();

    private GitRange(Path directory, String start, String end, boolean isWorkTree, Manifests reader) {
        this.directory = directory;
        this.start = start;
        this.end = end;
        this.isWorkTree = isWorkTree;
        this.reader = reader;
    }

    /**
     * One side of a changed file.
     *
     * @param mode what it is
     * @param blob where Git keeps its content
     */
    private record Entry(String file, String mode, String blob) {

        /** Otherwise a sparse checkout may have left it out. */
        boolean isOnDiskAlone() {
            return blob.matches("0+");
        }
    }

    /**
     * Finds the changed files.
     *
     * @param range {@code A..B}, {@code A...B} for what B changed since it left A, or {@code A} alone for what is in the
     *     work tree, tracked or not; an end that is left out is {@code HEAD}
     * @param paths that alone count; none for all
     * @param reader of what is in them
     */
    public static GitRange of(Path directory, String range, List<String> paths, Manifests reader) throws Unreadable {
        var isSinceLeaving = range.contains("...");
        var ends = range.split("\\.\\.\\.?", 2);
        if (range.startsWith("-") || range.isBlank()) {
            throw Unreadable.wrongUse("--git needs a range such as main..HEAD");
        }
        var from = ends[0].isEmpty() ? "HEAD" : ends[0];
        var to = ends.length == 1 ? "" : ends[1].isEmpty() ? "HEAD" : ends[1];
        var git = new Git(directory);
        var root = Path.of(git.output(List.of("rev-parse", "--show-toplevel")).strip());
        var base = git.commit(from);
        var target = to.isEmpty() ? "" : git.commit(to);
        if (isSinceLeaving) {
            base = git.mergeBase(range, base, target);
        }
        for (var path : paths) {
            git.requireThere(path, List.of(base, target.isEmpty() ? "HEAD" : target));
        }
        var diff = new ArrayList<>(
                List.of("diff", "--raw", "--no-abbrev", "--no-relative", "--no-renames", "--no-ext-diff", "-z", base));
        if (!target.isEmpty()) {
            diff.add(target);
        }
        diff.add("--");
        diff.addAll(paths);
        var found = new GitRange(root, base, target.isEmpty() ? "HEAD" : target, target.isEmpty(), reader);
        // ":MODE MODE BLOB BLOB STATUS", and the file's name
        var raw = git.output(diff).split("\0", -1);
        for (var i = 0; i + 1 < raw.length; i += 2) {
            var facts = raw[i].substring(1).split(" ", -1);
            found.base.add(new Entry(raw[i + 1], facts[0], facts[2]));
            found.target.add(new Entry(raw[i + 1], facts[1], facts[3]));
        }
        if (target.isEmpty()) {
            found.addUnseen(git, paths);
        }
        // Git shows nothing of what is behind one; those around the repository are the caller's
        paths.stream()
                .filter(path -> Path.of(path).startsWith(root)
                        ? isBehindLink(root, root.relativize(Path.of(path)))
                        : isBehindLink(directory, Path.of(path)))
                .forEach(path -> found.target.add(new Entry(path, LINK, NO_BLOB)));
        return found;
    }

    private static boolean isBehindLink(Path folder, Path path) {
        return !path.isAbsolute()
                && Stream.iterate(path, each -> each != null, Path::getParent)
                        .anyMatch(each -> Files.isSymbolicLink(folder.resolve(each)));
    }

    /**
     * What {@code git diff} does not show: what is not tracked, but what is ignored and not named; and what Git was told not to
     * look at.
     */
    private void addUnseen(Git from, List<String> paths) throws Unreadable {
        var seen = target.stream().map(Entry::file).collect(toSet());
        for (var line : from.files(paths, "-v", "--stage")) {
            // "TAG MODE BLOB STAGE", a tab, and the file's name
            var facts = line.split("[ \t]", 5);
            // a lower-case letter: assume-unchanged; S: skip-worktree, most often because it is not there
            if ((Character.isLowerCase(line.charAt(0)) || line.startsWith("S"))
                    && !seen.contains(facts[4])
                    && Files.exists(directory.resolve(facts[4]), NOFOLLOW_LINKS)) {
                base.add(new Entry(facts[4], facts[1], facts[2]));
                addOnDisk(facts[4]);
            }
        }
        var others = new LinkedHashSet<>(from.files(paths, "--others", "--exclude-standard"));
        var ignored = from.ignored(paths);
        if (!ignored.isEmpty()) {
            others.addAll(from.files(ignored, "--others"));
        }
        others.forEach(this::addOnDisk);
    }

    private void addOnDisk(String file) {
        target.add(new Entry(file, isElsewhere(directory, file) ? LINK : FILE, NO_BLOB));
    }

    /** A link, or a repository within this one. */
    private static boolean isElsewhere(Path root, String file) {
        return file.endsWith("/") || Files.isSymbolicLink(root.resolve(file));
    }

    /** The manifests as they were. */
    public ManifestTree base() throws Unreadable {
        return tree(base, false);
    }

    /** The manifests as they are now. */
    public ManifestTree target() throws Unreadable {
        return tree(target, isWorkTree);
    }

    /** Objects of the whole repository that say how manifests are applied, as they are at the range's end. */
    public List<Stated> stated() throws Unreadable {
        var stated = new ArrayList<Stated>();
        try (var blobs = GitBlobs.of(directory)) {
            for (var file : holding(ManifestFile.APPLIERS, "-F", "-w", "--", "*.yaml", "*.yml")) {
                add(file, named -> named.mayHave(ManifestFile.APPLIERS::contains), blobs, stated);
            }
            for (var file : names(List.of("ls-files", "-z", "--", ":(glob)**/fleet.yaml"))) {
                add(file, any -> true, blobs, stated);
            }
        }
        return List.copyOf(stated);
    }

    /** What may define custom resources of these kinds in files of the repository that did not change. */
    public ManifestTree definitions(Set<String> kinds) throws Unreadable {
        var tree = new ManifestTree(Manifests.NONE);
        if (kinds.isEmpty()) {
            return tree;
        }
        var changed = target.stream().map(Entry::file).collect(toSet());
        try (var blobs = GitBlobs.of(directory)) {
            for (var file : holding(RULES, "-a", "-E", "--", "*.yaml", "*.yml", "*.json")) {
                if (changed.contains(file)) {
                    continue;
                }
                var content = blobs.content(end + ":" + file);
                var text = ManifestFile.text(content);
                var named = NamedKinds.in(text);
                // of one that is too large nobody knows the rest
                if (content.length > ManifestTree.MAX_FILE
                        ? named.mayHave(DefinitionText.KIND::equals)
                        : DefinitionText.mayBeIn(text, named) && named.mayHave(kinds::contains)) {
                    tree.add(file, file, () -> new ByteArrayInputStream(content));
                }
            }
        } catch (IOException e) {
            throw Unreadable.trouble("cannot read definitions of custom resources: " + e.getMessage());
        }
        return tree;
    }

    /** Files that have one of these patterns, at the range's end. */
    private List<String> holding(Set<String> patterns, String... options) throws Unreadable {
        var command = new ArrayList<>(List.of("grep", "--no-color", "-z", "-l"));
        patterns.forEach(pattern -> command.addAll(List.of("-e", pattern)));
        for (var option : options) {
            command.addAll(option.equals("--") ? List.of(end, option) : List.of(option));
        }
        return names(command).stream()
                .map(named -> named.substring(end.length() + 1))
                .toList();
    }

    private List<String> names(List<String> arguments) throws Unreadable {
        return Stream.of(new Git(directory).run(arguments).out().split("\0", -1))
                .filter(name -> !name.isEmpty() && !name.contains("\n"))
                .toList();
    }

    private void add(String file, Predicate<NamedKinds> which, GitBlobs blobs, List<Stated> stated) {
        try {
            var text = new String(blobs.content(end + ":" + file), UTF_8);
            if (which.test(NamedKinds.in(text))) {
                Manifests.all(text).forEach(object -> stated.add(new Stated(file, object)));
            }
        } catch (IOException e) {
            // what only says more about others is missed, and the hint names --tool
        }
    }

    /** Whether a folder is rendered from a file that changed. */
    public boolean touches(RenderedFolder folder) {
        return target.stream().anyMatch(entry -> folder.has(entry.file()));
    }

    /** The base on the disk. */
    public Checkout baseOnDisk() throws Unreadable {
        return Checkout.of(directory, start);
    }

    /** The range's end on the disk. */
    public Checkout targetOnDisk() throws Unreadable {
        return Checkout.of(directory, end);
    }

    private ManifestTree tree(List<Entry> entries, boolean isOnDisk) throws Unreadable {
        var tree = new ManifestTree(reader);
        try (var blobs = GitBlobs.of(directory)) {
            var ingredients = new Ingredients(file -> text(file, blobs));
            for (var entry : entries) {
                Source source = () -> isOnDisk
                                && (entry.isOnDiskAlone()
                                        || Files.exists(directory.resolve(entry.file()), NOFOLLOW_LINKS))
                        ? Files.newInputStream(directory.resolve(entry.file()), NOFOLLOW_LINKS)
                        : new ByteArrayInputStream(blobs.content(entry.blob()));
                if (LINKS.contains(entry.mode())) {
                    tree.addLink(entry.file());
                } else if (!entry.mode().equals(ABSENT)) {
                    if (ManifestFile.isManifest(entry.file())) {
                        tree.add(entry.file(), entry.file(), source);
                    } else if (ingredients.has(entry.file())) {
                        tree.addIngredient(entry.file(), entry.file(), source);
                    }
                }
            }
        }
        return tree;
    }

    /** Of a file at the range's end. */
    private Optional<String> text(String file, GitBlobs blobs) {
        try {
            return file.contains("\n")
                    ? Optional.empty()
                    : Optional.of(new String(blobs.content(end + ":" + file), UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Where the repository is, which the names of files are relative to. */
    public Path root() {
        return directory;
    }

    /** Whether the new side is what is on the disk. */
    public boolean isWorkTree() {
        return isWorkTree;
    }
}
