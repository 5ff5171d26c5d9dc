package dev.gitopsinterlock.cli;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.gitopsinterlock.check.Appliers.Stated;
import dev.gitopsinterlock.cli.input.GitRange;
import dev.gitopsinterlock.cli.input.ManifestTree;
import dev.gitopsinterlock.cli.input.RenderedFolder;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.yaml.DefinitionText;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.crd.Definitions;
import dev.gitopsinterlock.kinds.GuardedKinds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is compared: manifests before and after a change.
 *
 * @param base those before; empty where a cluster has the objects
 * @param files where those of the new one are
 * @param repository what says, around them, how they are applied
 * @param around them, definitions of custom resources
 * @param named of those, with {@code --crds}
 */
record Sides(
        ManifestTree base,
        ManifestTree target,
        Optional<Path> files,
        List<Stated> repository,
        ManifestTree around,
        List<Definition> named) {

    /** What says how the manifests are applied, the new side first. */
    List<Stated> stated() {
        return Stream.concat(target.stated().stream(), repository.stream()).toList();
    }

    /** What was named counts, otherwise what is there after the change, and what was there before. */
    Definitions definitions() {
        return Definitions.NONE
                .with(base.definitions())
                .with(Stream.concat(target.definitions().stream(), around.definitions().stream())
                        .toList())
                .with(named);
    }

    /** These, read for custom resources whose definitions were named or found on the way. */
    Sides complete() {
        if (!named.isEmpty()
                || Stream.of(around, base, target)
                        .anyMatch(tree -> !tree.definitions().isEmpty())) {
            var reader = new Manifests(GuardedKinds.ALL, definitions());
            target.readAgain(reader);
            // otherwise objects of an unknown version on both sides look as if rendering the target had failed
            base.readAgain(target.objects().isEmpty() ? reader : reader.ofAnyVersion());
        }
        return this;
    }

    /** These, with what folders are rendered to. */
    Sides rendered(Optional<Path> before, Path after, Predicate<RenderedFolder> which) throws Unreadable {
        var old = before.filter(folder -> Files.isDirectory(folder));
        return new Sides(
                old.isPresent() ? rendered(base, old.get(), which, List.of()) : base,
                rendered(target, after, which, stated()),
                files,
                repository,
                around,
                named);
    }

    private static ManifestTree rendered(
            ManifestTree tree, Path folder, Predicate<RenderedFolder> which, List<Stated> repository)
            throws Unreadable {
        var folders = RenderedFolder.in(folder).stream().filter(which).toList();
        return tree.rendered(folders, folder, repository);
    }

    /** These, with the definitions that the repository has around them. */
    Sides around(GitRange git) throws Unreadable {
        return new Sides(
                base, target, files, repository, git.definitions(undefined(all(ManifestTree::customKinds))), named);
    }

    /** Those that something may define that was not named. */
    private Set<String> undefined(Collection<String> kinds) {
        var known = Stream.concat(named.stream().map(Definition::kind), Stream.of(DefinitionText.KIND))
                .collect(toUnmodifiableSet());
        return kinds.stream().filter(kind -> !known.contains(kind)).collect(toUnmodifiableSet());
    }

    /** Files with templates of definitions whose rules may be about what changes. */
    List<String> unrenderedDefinitions() {
        if (Stream.of(target, around).noneMatch(ManifestTree::hasUnrenderedDefinitions)) {
            return List.of();
        }
        var kinds = undefined(target.changedCustomKinds(base));
        return Stream.of(target, around)
                .flatMap(tree -> tree.unrenderedDefinitions(kinds, target).stream())
                .toList();
    }

    /** Of both, each once. */
    List<String> all(Function<ManifestTree, List<String>> part) {
        return Stream.of(base, target)
                .flatMap(tree -> part.apply(tree).stream())
                .distinct()
                .toList();
    }
}
