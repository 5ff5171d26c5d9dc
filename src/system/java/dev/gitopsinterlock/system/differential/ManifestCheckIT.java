package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Findings;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.check.ManifestCheck;
import dev.gitopsinterlock.check.Pair;
import dev.gitopsinterlock.check.Severity;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.job.JobFieldSemantics;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.manifest.DroppedParts;
import dev.gitopsinterlock.job.manifest.StoredJob;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.system.differential.Edits.Plan;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.tool.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Writes random Jobs and edits of them as manifests. What {@code check} says of the two texts is compared with what the
 * API server says when the second one is applied on top of the first: by the manifests alone, with the server's version
 * named, and with the live Job. An error that the API server accepts, and a refusal as immutable that was not found, are
 * failures; a warning may turn out either way, and there is none where version and state are known.
 *
 * <p>{@code differential.n} edits; {@code differential.seed} gives the same ones again.
 */
@ExtendWith(Cluster.Extension.class)
class ManifestCheckIT {

    private static final Manifests MANIFESTS = new Manifests(GuardedKinds.ALL);
    private static final String NAMESPACE = "manifests";
    private static final String MANAGER = "manifests";
    private static final int EDITS_OF_A_JOB = 10;
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final Wire wire;
    private final Schema schema;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", 2000);
    private final String server;
    private final Optional<KubernetesVersion> version;
    private final ManifestCheck anyVersion;
    private final ManifestCheck thisVersion;
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final Map<Known, Tally> tallies = new ConcurrentSkipListMap<>();

    /** What {@code check} is told. */
    private enum Known {
        MANIFESTS,
        VERSION,
        LIVE_JOB
    }

    /** How often the API server answered so, by the severity of the finding, if any. */
    private record Tally(Map<Optional<Severity>, Integer> accepted, Map<Optional<Severity>, Integer> refused) {
        @Override
        public String toString() {
            return "accepted " + words(accepted) + ", refused as immutable " + words(refused);
        }

        private static Map<String, Integer> words(Map<Optional<Severity>, Integer> counts) {
            var words = new TreeMap<String, Integer>();
            counts.forEach((severity, count) -> words.put(word(severity), count));
            return words;
        }

        private static String word(Optional<Severity> severity) {
            return severity.map(Severity::name).orElse("nothing");
        }
    }

    /**
     * A Job of the API server.
     *
     * @param base its manifest
     * @param live as it is
     */
    private record Stored(ObjectNode base, JsonNode live) {

        /** Its manifest says as much as it does itself. */
        boolean isNotSuspended() {
            return !base.at("/spec/suspend").asBoolean();
        }

        /** A suspended Job of which nobody says that it is stopped, on which the patch versions of 1.36 differ. */
        boolean hasNoController() {
            return live.at("/spec/managedBy").isTextual();
        }
    }

    ManifestCheckIT(Cluster cluster) {
        cluster.controlPlane().createNamespace(NAMESPACE);
        this.wire = new Wire(cluster.controlPlane(), NAMESPACE);
        this.schema = Schema.of(cluster.controlPlane());
        this.server = cluster.controlPlane().version();
        this.version = KubernetesVersion.of(server);
        this.anyVersion = check(Optional.empty());
        this.thisVersion = check(version);
    }

    private Tally tally(Known known) {
        return tallies.computeIfAbsent(known, first -> new Tally(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));
    }

    private static ManifestCheck check(Optional<KubernetesVersion> version) {
        return new ManifestCheck(
                GuardedKinds.ALL,
                Appliers.named(Optional.of(Tool.UNKNOWN), ""),
                version,
                PackagedPages.withoutAddress());
    }

    @Test
    void saysWhatTheApiServerWillSay() throws InterruptedException, ExecutionException {
        assertThat(version).as("%s is known to check", server).isPresent();
        var plans = new Edits(schema, seed).plans(edits);
        var jobs = new ArrayList<Callable<Void>>();
        for (int first = 0; first < edits; first += EDITS_OF_A_JOB) {
            var number = first + 1;
            var own = plans.subList(first, Math.min(edits, first + EDITS_OF_A_JOB));
            jobs.add(() -> {
                compareAll(number, own);
                return null;
            });
        }
        SideBySide.run("check", jobs);
        tallies.forEach((known, tally) -> System.out.printf("check on %s by %s: %s%n", server, known, tally));
        System.out.printf("check on %s: %d edits drawn, %d wrong%n", server, edits, wrong.size());
        Evidence.keep(server, "ManifestCheckIT", numbers());
        assertThat(wrong).isEmpty();
        var tally = tally(Known.MANIFESTS);
        assertThat(tally.accepted().values().stream().mapToInt(count -> count).sum())
                .as("accepted")
                .isGreaterThan(edits / 20);
        assertThat(tally.refused().getOrDefault(Optional.of(Severity.ERROR), 0))
                .as("refused")
                .isGreaterThan(edits / 5);
    }

    private Map<String, Integer> numbers() {
        var numbers = new LinkedHashMap<String, Integer>();
        numbers.put("edits", edits);
        tallies.forEach((known, tally) -> {
            tally.refused().forEach((found, count) -> numbers.put(known + " refused " + Tally.word(found), count));
            tally.accepted().forEach((found, count) -> numbers.put(known + " accepted " + Tally.word(found), count));
        });
        return numbers;
    }

    private void compareAll(int number, List<Plan> plans) throws MalformedYaml {
        var stored = stored(number);
        if (stored.isEmpty()) {
            // a list with a key twice, which only a POST may have
            return;
        }
        compareStored(stored.get());
        for (var plan : plans) {
            var target = stored.get().base().deepCopy();
            new Editor(new Random(plan.seed())).editAll((ObjectNode) target.path("spec"), plan.targets());
            compare(stored.get(), target);
        }
        wire.send(
                User.WITHOUT_US,
                Wire.delete(stored.get().base().at("/metadata/name").asText()));
    }

    /** A Job in one of three states; empty if the API server does not take it. */
    private Optional<Stored> stored(int number) {
        var name = "manifest-%s-%d".formatted(Long.toString(seed, 36), number);
        var state = List.of(State.NEVER_STARTED, State.STOPPED, State.STARTED, State.STARTED)
                .get((number / EDITS_OF_A_JOB) % 4);
        var random = new Random(Draw.seed(seed, "manifest", number));
        var base = RandomJob.manifest(name, state == State.STARTED ? state : State.NEVER_STARTED, schema, random, wire);
        base.withObject("/metadata").put("namespace", NAMESPACE);
        var isWatched = !base.at("/spec/managedBy").isTextual();
        if (state == State.STOPPED && isWatched) {
            var running = base.deepCopy();
            running.withObject("/spec").put("suspend", false);
            wire.send(User.WITHOUT_US, apply(running));
            await(name, live -> live.at("/status/startTime").isTextual());
        }
        var answer = wire.send(User.WITHOUT_US, apply(base));
        if (!answer.isAccepted()) {
            return Optional.empty();
        }
        if (state != State.STARTED && isWatched) {
            await(name, live -> JobState.of(live).stopped());
        }
        return Optional.of(
                new Stored(base, wire.send(User.WITHOUT_US, Wire.get(name)).body()));
    }

    private void await(String name, Predicate<JsonNode> isThere) {
        Awaitility.await(name)
                .atMost(Patience.LIMIT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    var answer = wire.send(User.WITHOUT_US, Wire.get(name));
                    return !answer.isAccepted() || isThere.test(answer.body());
                });
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
    private void compareStored(Stored job) {
        var uid = job.live().at("/metadata/uid").asText();
        var expected = StoredJob.of(DroppedParts.without(job.base(), version.orElseThrow()), uid);
        var spec = job.live().path("spec");
        var differences =
                Comparison.between(JobFieldSemantics.SEMANTICS, SPEC, expected.path("spec"), spec)
                        .orElseThrow()
                        .stream()
                        .filter(difference -> !isDropped(difference, spec))
                        .toList();
        if (!differences.isEmpty()) {
            wrong.add("stored otherwise: %s%n%s%n%s"
                    .formatted(differences, expected.toPrettyString(), spec.toPrettyString()));
        }
    }

    /** By a server of this version, on which the field's gate is off. */
    private boolean isDropped(Difference difference, JsonNode spec) {
        return difference.kind() == Difference.Kind.REMOVED
                && ImmutableJobFields.mutability(
                                new Difference(difference.path(), Difference.Kind.ADDED),
                                new JobState(false, false, false),
                                spec,
                                version)
                        == Mutability.ACCEPTED;
    }

    private void compare(Stored job, ObjectNode target) throws MalformedYaml {
        if (GuardedKinds.ALL.of(target).isEmpty()) {
            // without a template it is incomplete, which other tools say
            return;
        }
        var before = manifest("base", job.base());
        var after = manifest("target", target);
        var answer = wire.send(User.WITHOUT_US, apply(target).asDryRun());
        var pair = new Pair(Optional.of(before), after);
        judge(Known.MANIFESTS, anyVersion.of(pair), false, job, target, answer);
        judge(Known.VERSION, thisVersion.of(pair), job.isNotSuspended(), job, target, answer);
        judge(
                Known.LIVE_JOB,
                thisVersion.ofLive(after, Optional.of(job.live()), job.base()),
                job.isNotSuspended() || !job.hasNoController(),
                job,
                target,
                answer);
    }

    private static Manifest manifest(String file, ObjectNode object) throws MalformedYaml {
        return MANIFESTS.in(file, "", object.toPrettyString()).getFirst();
    }

    /**
     * Whether {@code check} and the API server agree.
     *
     * @param isCertain whether a warning is too little
     */
    private void judge(
            Known known, Findings findings, boolean isCertain, Stored job, ObjectNode target, Answer answer) {
        var found = findings.open().stream()
                .filter(finding -> !finding.fields().isEmpty())
                .findFirst();
        var severity = found.map(Finding::severity);
        var tally = tally(known);
        if (answer.isAccepted()) {
            tally.accepted().merge(severity, 1, Integer::sum);
        } else if (answer.isImmutable()) {
            tally.refused().merge(severity, 1, Integer::sum);
        }
        var isError = severity.filter(Severity.ERROR::equals).isPresent();
        var isFalseAlarm = answer.isAccepted() && (isError || (isCertain && found.isPresent()));
        var isMissed = answer.isImmutable() && (found.isEmpty() || (isCertain && !isError));
        if (isFalseAlarm || isMissed) {
            wrong.add("%s by %s%n%s%n--- base%n%s%n--- status%n%s%n--- target%n%s%n--- answer%n%s"
                    .formatted(
                            isFalseAlarm ? "false alarm" : "missed",
                            known,
                            found.map(Finding::message).orElse(""),
                            job.base().toPrettyString(),
                            job.live().path("status").toPrettyString(),
                            target.toPrettyString(),
                            answer));
        }
    }
}
