package dev.gitopsinterlock.cli;

import static java.util.stream.Collectors.toCollection;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.cluster.ServedKinds;
import dev.gitopsinterlock.cli.input.FileTrees;
import dev.gitopsinterlock.cli.input.GitRange;
import dev.gitopsinterlock.cli.input.ManifestTree;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.crd.Definitions;
import dev.gitopsinterlock.kinds.GuardedKinds;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The options that say what is compared: two trees of manifests, a change in Git, or manifests and a cluster. */
final class CheckInput {

    private final InputStream standardInput;
    private final Path directory;

    @Parameters(
            arity = "0..*",
            paramLabel = "BASE TARGET",
            description = "Manifests before and after: files, folders, or - for the standard input. With --git: paths"
                    + " that alone count.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--git",
            paramLabel = "RANGE",
            description = "The change: main..HEAD, main...HEAD for what HEAD changed since it left main, or main alone"
                    + " for what is in the work tree, new files too.")
    private @Nullable String range;

    @Option(
            names = "--render",
            description = "Renders kustomizations, by kustomize or kubectl, and charts with their own values, by Helm,"
                    + " on both sides; with --git those that the change touches.")
    private boolean render;

    @Option(
            names = "--live",
            description = "Compares TARGET with the objects of the cluster, whose state is known then. Reads only.")
    private boolean live;

    @Option(
            names = "--crds",
            paramLabel = "FILE|FOLDER",
            description =
                    "Definitions of custom resources, such as a chart's crds/: their transition rules are evaluated. They"
                            + " take precedence over definitions in TARGET, in BASE or the cluster and, with --git, in"
                            + " the repository."
                            + " May be repeated.")
    private List<String> crds = new ArrayList<>();

    private final List<String> unread = new ArrayList<>();
    private final List<String> unserved = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            defaultValue = "default",
            description = "With --live: of manifests that name none (default: ${DEFAULT-VALUE}).")
    private String namespace = "default";

    CheckInput(InputStream standardInput, Path directory) {
        this.standardInput = standardInput;
        this.directory = directory;
    }

    boolean isLive() {
        return live;
    }

    /** Whether each side has all objects, and not what changed alone. */
    boolean isWhole() {
        return !live && range == null;
    }

    boolean isOfGit() {
        return range != null;
    }

    /** Of manifests that name none, with {@code --live}. */
    String namespace() {
        return namespace;
    }

    /** A sentence for each kind of TARGET that the cluster does not serve as it is written, and that nothing defines. */
    List<String> unserved() {
        return unserved;
    }

    ClusterReader cluster() throws Unreadable {
        return cluster.reader();
    }

    /** A sentence for each file that could not be judged. */
    List<String> problems(Sides sides) {
        var problems = new ArrayList<>(sides.all(ManifestTree::problems));
        problems.addAll(sides.target().malformed());
        // they may define what changes
        problems.addAll(sides.around().problems());
        problems.addAll(sides.around().malformed());
        problems.addAll(unread);
        // of a base of one file nothing is left
        if (isWhole() && sides.base().objects().isEmpty()) {
            problems.addAll(sides.base().malformed());
        }
        return problems;
    }

    /** Reads both, one of which is empty with {@code --live}. */
    Sides sides() throws Unreadable {
        if (live) {
            return liveSides();
        }
        return sides(named()).complete();
    }

    private List<Definition> named() throws Unreadable {
        var found = new ArrayList<Definition>();
        for (var argument : crds) {
            var tree = files(Manifests.NONE).read(argument);
            var trouble = tree.unreadDefinitions().stream().findFirst();
            if (trouble.isPresent()) {
                throw Unreadable.trouble(trouble.get());
            }
            found.addAll(tree.definitions());
        }
        return found;
    }

    private Sides sides(List<Definition> named) throws Unreadable {
        var manifests = new Manifests(GuardedKinds.ALL, Definitions.NONE.with(named));
        if (range != null) {
            var git = GitRange.of(directory, range, arguments, manifests);
            var sides = new Sides(
                    git.base(),
                    git.target(),
                    git.isWorkTree() ? Optional.of(git.root()) : Optional.empty(),
                    git.stated(),
                    new ManifestTree(Manifests.NONE),
                    named);
            return (render ? rendered(sides, git) : sides).around(git);
        }
        if (arguments.size() != 2) {
            throw new ParameterException(spec.commandLine(), "specify BASE and TARGET, or a range: --git main...HEAD");
        }
        if (arguments.stream().allMatch(FileTrees.STANDARD_INPUT::equals)) {
            throw new ParameterException(spec.commandLine(), "only one of BASE and TARGET can be the standard input");
        }
        return withTarget(files(manifests).read(arguments.getFirst()), manifests, named);
    }

    private static Sides rendered(Sides sides, GitRange git) throws Unreadable {
        try (var base = git.baseOnDisk()) {
            if (git.isWorkTree()) {
                return sides.rendered(Optional.of(base.path()), git.root(), git::touches);
            }
            try (var target = git.targetOnDisk()) {
                return sides.rendered(Optional.of(base.path()), target.path(), git::touches);
            }
        }
    }

    private Sides liveSides() throws Unreadable {
        if (range != null || arguments.size() != 1) {
            throw new ParameterException(spec.commandLine(), "name one thing, TARGET, with --live");
        }
        var named = named();
        var manifests = new Manifests(GuardedKinds.ALL, Definitions.NONE.with(named));
        var sides = withTarget(new ManifestTree(manifests), manifests, named);
        var published = published(sides.target().groupVersions());
        sides.base().define(published);
        nameUnserved(sides.target().customObjects(), Stream.concat(named.stream(), published.stream()));
        return sides.complete();
    }

    private void nameUnserved(List<JsonNode> objects, Stream<Definition> known) throws Unreadable {
        var served = new ServedKinds(cluster());
        var seen = Stream.concat(known, objects.stream().map(Definition::of).flatMap(Optional::stream))
                .flatMap(each -> each.versions().keySet().stream()
                        .map(version -> List.of(each.group() + "/" + version, each.kind())))
                .collect(toCollection(HashSet::new));
        for (var object : objects) {
            var apiVersion = object.path("apiVersion").asText();
            var kind = object.path("kind").asText();
            var slash = apiVersion.indexOf('/');
            var own = apiVersion.substring(slash + 1);
            if (seen.add(List.of(apiVersion, kind))
                    && GuardedKinds.ALL.named(object).isEmpty()) {
                var version = served.version(apiVersion.substring(0, slash), own, kind);
                if (!version.equals(Optional.of(own))) {
                    unserved.add("%s of %s was not judged: the cluster serves %s"
                            .formatted(
                                    kind,
                                    apiVersion,
                                    version.map("it as "::concat).orElse("no version of it")));
                }
            }
        }
    }

    /** Those that the cluster has. */
    private List<Definition> published(List<String> groupVersions) throws Unreadable {
        var reader = cluster();
        var found = new HashMap<List<String>, Definition>();
        for (var groupVersion : groupVersions) {
            var openApi = reader.read("/openapi/v3/apis/" + groupVersion);
            if (openApi.isRefused()) {
                unread.add("custom resources of %s were only checked by definitions in --crds and TARGET: %s"
                        .formatted(groupVersion, openApi.obstacle()));
            }
            Definition.published(openApi.tree())
                    .forEach(each -> found.merge(List.of(each.group(), each.kind()), each, Definition::and));
        }
        return List.copyOf(found.values());
    }

    private Sides withTarget(ManifestTree base, Manifests manifests, List<Definition> named) throws Unreadable {
        var target = arguments.getLast();
        var sides = new Sides(
                base,
                files(manifests).read(target),
                target.equals(FileTrees.STANDARD_INPUT) ? Optional.empty() : Optional.of(directory),
                List.of(),
                new ManifestTree(Manifests.NONE),
                named);
        var after = directory.resolve(target);
        if (!render || !Files.isDirectory(after)) {
            return sides;
        }
        var before = live ? Optional.<Path>empty() : Optional.of(directory.resolve(arguments.getFirst()));
        return sides.rendered(before, after, folder -> true);
    }

    private FileTrees files(Manifests manifests) {
        return new FileTrees(manifests, standardInput, directory);
    }
}
