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
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.tool.Tool;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Edits manifests of every kind beside Job at random. What {@code check} says of the two texts, and with the live object, is
 * compared with what the API server says when the second one is applied on top of the first. An error that the API server
 * accepts, and a refusal as immutable of which nothing is said, are failures. The properties are those of {@link
 * KindDifferentialIT}.
 */
@ExtendWith(Cluster.Extension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KindManifestCheckIT {

    private static final String NAMESPACE = "kind-manifests";
    private static final Manifests MANIFESTS = new Manifests(GuardedKinds.ALL);

    private final ControlPlane kubernetes;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", 60);
    private final ManifestCheck check = new ManifestCheck(
            GuardedKinds.ALL,
            Appliers.named(Optional.of(Tool.UNKNOWN), ""),
            Optional.empty(),
            PackagedPages.withoutAddress());

    KindManifestCheckIT(Cluster cluster) {
        this.kubernetes = cluster.controlPlane();
    }

    @BeforeAll
    void makeNamespace() {
        kubernetes.createNamespace(NAMESPACE);
    }

    static Stream<GuardedKind> kinds() {
        return KindDifferentialIT.kinds();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void saysWhatTheApiServerWillSay(GuardedKind kind) throws MalformedYaml {
        var wire = new Wire(
                kubernetes,
                KindEdits.api(kind),
                (kind.namespaced() ? "namespaces/" + NAMESPACE + "/" : "") + kind.plural());
        var targets = KindEdits.of(kubernetes, kind);
        var bases =
                KindSamples.of(kind).stream().map(sample -> made(sample, wire)).toList();
        var wrong = new ArrayList<String>();
        var said = new TreeMap<String, Integer>();
        for (int number = 1; number <= edits; number++) {
            var base = bases.get(number % bases.size());
            var target = base.deepCopy();
            var places = targets.edit(target, number, new Random(Draw.seed(seed, "manifest " + kind.name(), number)));
            if (GuardedKinds.ALL.of(target).isEmpty()) {
                // what it has to have is gone: it is incomplete, which other tools say
                continue;
            }
            var live = wire.send(
                            User.WITHOUT_US, Wire.get(base.at("/metadata/name").asText()))
                    .body();
            var answer = wire.send(User.WITHOUT_US, apply(target).asDryRun());
            var before = manifest(base);
            var after = manifest(target);
            var about = "%s, seed %d, edit %d: %s".formatted(kind.name(), seed, number, places);
            judge(about + " by manifests", check.of(new Pair(Optional.of(before), after)), answer, said)
                    .ifPresent(words -> wrong.add(words + detail(base, target, answer)));
            judge(about + " by the live object", check.ofLive(after, Optional.of(live), base), answer, said)
                    .ifPresent(words -> wrong.add(words + detail(live, target, answer)));
        }
        System.out.printf("check of %s on %s: %s%n", kind.name(), kubernetes.version(), said);
        assertThat(wrong).isEmpty();
        assertThat(said).as("edits that are refused, and said to be").containsKey("refused ERROR");
    }

    /** What {@code check} should not have said; empty where it agrees with the API server. */
    private Optional<String> judge(String about, Findings findings, Answer answer, Map<String, Integer> said) {
        var found = findings.open().stream()
                .filter(finding -> !finding.fields().isEmpty())
                .findFirst();
        var isImmutable = KindDifferentialIT.isImmutable(answer);
        var severity = found.map(Finding::severity);
        if (answer.isAccepted() || isImmutable) {
            said.merge(
                    (answer.isAccepted() ? "accepted " : "refused ")
                            + severity.map(Severity::name).orElse("nothing"),
                    1,
                    Integer::sum);
        }
        if (answer.isAccepted() && severity.filter(Severity.ERROR::equals).isPresent()) {
            return Optional.of(
                    "false alarm, " + about + ": " + found.map(Finding::message).orElseThrow());
        }
        return isImmutable && found.isEmpty() && !isLeftUnsaid(about)
                ? Optional.of("missed, " + about)
                : Optional.empty();
    }

    /** Before 1.36 no parameters are other parameters than empty ones; docs/check.md says that this is not said. */
    private boolean isLeftUnsaid(String about) {
        return about.startsWith("StorageClass, ")
                && about.contains("parameters ADDED_EMPTY")
                && !kubernetes.isAtLeast("1.36");
    }

    private static String detail(JsonNode base, JsonNode target, Answer answer) {
        return "%n--- base%n%s%n--- target%n%s%n--- answer%n%s"
                .formatted(base.toPrettyString(), target.toPrettyString(), answer);
    }

    /** The manifest of an object that was made from it. */
    private ObjectNode made(KindSamples.Sample sample, Wire wire) {
        var manifest = sample.object().deepCopy();
        var metadata = manifest.withObject("/metadata");
        metadata.remove("annotations");
        metadata.put("name", "manifest-" + sample.name());
        var status = Optional.ofNullable(manifest.remove("status"));
        if (sample.kind().namespaced()) {
            metadata.put("namespace", NAMESPACE);
        } else {
            var file = manifest.toString();
            kubernetes.afterClass(() -> kubernetes.admin().resource(file).delete());
        }
        orFail(wire.send(User.WITHOUT_US, apply(manifest)));
        status.ifPresent(seen -> {
            var patch = Wire.JSON.createObjectNode();
            patch.set("status", seen);
            orFail(wire.send(
                    User.WITHOUT_US, Wire.mergePatch(metadata.path("name").asText() + "/status", patch)));
        });
        return manifest;
    }

    private static void orFail(Answer answer) {
        assertThat(answer.isAccepted()).as("%s", answer).isTrue();
    }

    private static Wire.Request apply(ObjectNode manifest) {
        return new Wire.Request(
                "PATCH",
                "/" + manifest.at("/metadata/name").asText(),
                Map.of("fieldManager", "manifests", "force", "true"),
                Method.SERVER_SIDE_APPLY.contentType(),
                manifest);
    }

    private static Manifest manifest(ObjectNode object) throws MalformedYaml {
        return MANIFESTS.in("file.yaml", "", object.toPrettyString()).getFirst();
    }
}
