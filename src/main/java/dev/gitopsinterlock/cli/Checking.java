package dev.gitopsinterlock.cli;

import dev.gitopsinterlock.check.CheckedTypes;
import dev.gitopsinterlock.check.CustomResourceCheck;
import dev.gitopsinterlock.check.Findings;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.check.ManifestCheck;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.check.Pairing;
import dev.gitopsinterlock.cli.cluster.LiveObjects;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.doctor.Reading;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Checks all manifests, one by one. What cannot be checked is left out, and is no reason to leave out the others. */
final class Checking {

    private static final String TOO_LARGE = "it needs more memory than there is";

    private final ManifestCheck check;
    private final CustomResourceCheck custom;
    private final CheckedTypes types;
    private final SortedMap<String, Integer> objects = new TreeMap<>();
    private final List<String> unread = new ArrayList<>();
    private final List<String> unjudged = new ArrayList<>();

    Checking(ManifestCheck check, CustomResourceCheck custom) {
        this.check = check;
        this.custom = custom;
        this.types = new CheckedTypes(check.kinds(), custom.definitions());
    }

    /** How many objects of each kind were checked. */
    SortedMap<String, Integer> objects() {
        return objects;
    }

    /** A sentence for each that was left out. */
    List<String> unread() {
        return unread;
    }

    /** A sentence for each that nothing can be said of. */
    List<String> unjudged() {
        return unjudged;
    }

    /** What the change from the one to the other meets. What needs more memory than there is is left out. */
    Findings between(List<Manifest> base, List<Manifest> target) {
        count(target);
        var before = check.appliers().placed(base, types);
        var pairs = Pairing.of(before, check.appliers().placed(target, types));
        Pairing.unclear(before, pairs).forEach(each -> {
            discount(each.id());
            unjudged.add(each.id() + " was not judged: several have this name, and no Namespace");
        });
        var findings = new ArrayList<Findings>();
        for (var pair : pairs) {
            try {
                findings.add(check.of(pair));
                findings.add(custom.of(pair));
            } catch (OutOfMemoryError e) {
                leaveOut(pair.target().id(), TOO_LARGE);
            }
        }
        return Findings.of(findings);
    }

    /**
     * What the manifests meet in a cluster. What may not be read there, or needs too much memory, is left out.
     *
     * @param defined comes with them, so that the cluster need not serve it yet
     */
    Findings with(LiveObjects cluster, List<Manifest> target, Collection<Definition> defined) throws Unreadable {
        count(target);
        var findings = new ArrayList<Findings>();
        for (var manifest : check.appliers().placed(target, types)) {
            var type = types.of(manifest.object());
            // its definition has no rule any more
            if (type.isEmpty()) {
                discount(manifest.id());
                continue;
            }
            try {
                var resource = type.get().resource();
                var asked = cluster.of(type.get(), manifest.id())
                        .or(() -> defined.stream()
                                .filter(each -> each.group().equals(resource.group())
                                        && each.kind().equals(resource.kind()))
                                .map(each -> Reading.absent())
                                .findFirst());
                if (asked.isEmpty()) {
                    discount(manifest.id());
                    unjudged.add(
                            "%s was not judged: the cluster serves no version of this kind".formatted(manifest.id()));
                } else if (asked.get().isRefused()) {
                    leaveOut(manifest.id(), asked.get().obstacle());
                } else {
                    var live = asked.get().tree();
                    var there = Optional.of(live).filter(tree -> !tree.isMissingNode());
                    var before = LiveObjects.appliedTo(live);
                    findings.add(check.ofLive(manifest, there, before));
                    findings.add(custom.ofLive(manifest, there, before));
                }
            } catch (OutOfMemoryError e) {
                leaveOut(manifest.id(), TOO_LARGE);
            }
        }
        return Findings.of(findings);
    }

    private void leaveOut(ObjectId id, String why) {
        discount(id);
        unread.add("%s was not checked: %s".formatted(id, why));
    }

    private void discount(ObjectId id) {
        objects.computeIfPresent(id.kind(), (name, all) -> all == 1 ? null : all - 1);
    }

    private void count(List<Manifest> target) {
        target.forEach(each -> objects.merge(each.id().kind(), 1, Integer::sum));
    }
}
