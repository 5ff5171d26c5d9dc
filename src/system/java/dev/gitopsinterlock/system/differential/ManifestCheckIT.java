package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Deployer;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.JobCheck;
import dev.gitopsinterlock.check.Pair;
import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.yaml.JobManifests;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.ImmutableJobFields.Mutability;
import dev.gitopsinterlock.job.JobFieldSemantics;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.manifest.StoredJob;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Writes random Jobs and edits of them as manifests. What {@code check} says of the two texts is compared with what the
 * API server says when the second one is applied on top of the first. An error that the API server accepts, and a
 * refusal as immutable that was not found, are failures; a warning may turn out either way.
 *
 * <p>{@code differential.n} edits; {@code differential.seed} gives the same ones again.
 */
@ExtendWith(Cluster.Extension.class)
class ManifestCheckIT {

    private static final String NAMESPACE = "manifests";
    private static final String MANAGER = "manifests";
    private static final int EDITS_OF_A_JOB = 10;
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final Wire wire;
    private final Schema schema;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", 400);
    private final JobCheck check = new JobCheck(Optional.of(Deployer.UNKNOWN), PackagedPages.withoutAddress());
    private final List<String> wrong = new ArrayList<>();
    private final Map<Severity, Integer> refused = new EnumMap<>(Severity.class);
    private int accepted;

    ManifestCheckIT(Cluster cluster) {
        cluster.controlPlane().createNamespace(NAMESPACE);
        this.wire = new Wire(cluster.controlPlane(), NAMESPACE);
        this.schema = Schema.of(cluster.controlPlane());
    }

    @Test
    void saysWhatTheApiServerWillSay() throws MalformedYaml {
        var drawn = new Edits(schema, seed);
        for (int number = 1; number <= edits; ) {
            var name = "manifest-%s-%d".formatted(Long.toString(seed, 36), number);
            var state = (number / EDITS_OF_A_JOB) % 3 == 0 ? State.NEVER_STARTED : State.STARTED;
            var random = new Random(Draw.seed(seed, "manifest", number));
            var base = RandomJob.manifest(name, state, schema, random, wire);
            base.withObject("/metadata").put("namespace", NAMESPACE);
            var live = wire.send(User.WITHOUT_US, apply(base));
            if (!live.isAccepted()) {
                // a list with a key twice, which only a POST may have
                number += EDITS_OF_A_JOB;
                continue;
            }
            compareStored(base, live);
            for (int i = 0; i < EDITS_OF_A_JOB && number <= edits; i++) {
                var plan = drawn.plan(number++);
                var target = base.deepCopy();
                new Editor(new Random(plan.seed())).editAll((ObjectNode) target.path("spec"), plan.targets());
                compare(base, target);
            }
            wire.send(User.WITHOUT_US, Wire.delete(name));
        }
        System.out.printf(
                "check: %d edits accepted, %s refused as immutable by severity of the finding, %d wrong%n",
                accepted, refused, wrong.size());
        assertThat(wrong).isEmpty();
        assertThat(accepted).as("accepted").isGreaterThan(edits / 20);
        assertThat(refused.getOrDefault(Severity.ERROR, 0)).as("refused").isGreaterThan(edits / 5);
    }

    private static Wire.Request apply(ObjectNode manifest) {
        return new Wire.Request(
                "PATCH",
                "/" + manifest.at("/metadata/name").asText(),
                Map.of("fieldManager", MANAGER, "force", "true"),
                Method.SERVER_SIDE_APPLY.contentType(),
                manifest);
    }

    /** The Job that is stored is the one that was expected. */
    private void compareStored(ObjectNode manifest, Answer live) {
        var uid = live.body().at("/metadata/uid").asText();
        var stored = StoredJob.of(manifest, uid);
        var spec = live.body().path("spec");
        var differences =
                Comparison.between(JobFieldSemantics.SEMANTICS, SPEC, stored.path("spec"), spec).orElseThrow().stream()
                        .filter(difference -> !mayBeDropped(difference, spec))
                        .toList();
        if (!differences.isEmpty()) {
            wrong.add("stored otherwise: %s%n%s%n%s"
                    .formatted(differences, stored.toPrettyString(), spec.toPrettyString()));
        }
    }

    /** By a server on which the field's gate is off. */
    private static boolean mayBeDropped(Difference difference, JsonNode spec) {
        return difference.kind() == Difference.Kind.REMOVED
                && ImmutableJobFields.mutability(
                                new Difference(difference.path(), Difference.Kind.ADDED),
                                new JobState(false, false, false),
                                spec)
                        != Mutability.REFUSED;
    }

    private void compare(ObjectNode base, ObjectNode target) throws MalformedYaml {
        var answer = wire.send(User.WITHOUT_US, apply(target).asDryRun());
        var found = found(base, target);
        if (answer.isAccepted()) {
            accepted++;
        } else if (answer.isImmutable()) {
            refused.merge(found.map(Finding::severity).orElse(Severity.NOTE), 1, Integer::sum);
        }
        var isFalseAlarm = answer.isAccepted()
                && found.filter(one -> one.severity() == Severity.ERROR).isPresent();
        var isMissed = answer.isImmutable() && found.isEmpty();
        if (isFalseAlarm || isMissed) {
            wrong.add("%s%n%s%n--- base%n%s%n--- target%n%s%n--- answer%n%s"
                    .formatted(
                            isFalseAlarm ? "false alarm" : "missed",
                            found.map(Finding::message).orElse(""),
                            base.toPrettyString(),
                            target.toPrettyString(),
                            answer));
        }
    }

    private Optional<Finding> found(ObjectNode base, ObjectNode target) throws MalformedYaml {
        var before = JobManifests.in("base", "", base.toPrettyString());
        var after = JobManifests.in("target", "", target.toPrettyString());
        return check.of(new Pair(Optional.of(before.getFirst()), after.getFirst())).open().stream()
                .filter(finding -> !finding.fields().isEmpty())
                .findFirst();
    }
}
