package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.edit.GuardedKind.Phrase;
import dev.gitopsinterlock.guidance.RefusedFields;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.kinds.KindCases;
import dev.gitopsinterlock.system.atlas.FieldRun;
import dev.gitopsinterlock.system.atlas.FieldRuns;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.client.RecreatingClients;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.text.Project;
import io.fabric8.zjsonpatch.JsonDiff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends random edits of every kind beside Job twice, both as dry runs: as an account that the webhook configuration leaves
 * out, so that the API server alone judges, and as a person. Nothing is stored, so that both meet the same object, which is
 * read once. One edit of five is of a single row of the kind's table, where nothing else has to change for it. As in
 * {@link DifferentialIT}, {@code differential.seed} gives the same edits again, and a run that was interrupted goes on;
 * {@code differential.n} is their number, and {@code differential.kind} the only kind, if not {@code all}.
 */
@ExtendWith(Cluster.Extension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KindDifferentialIT {

    private static final String NAMESPACE = "kind-differential";
    private static final int EDITS_OF_A_LOT = 10;

    /** However the API server says it; there is no one sentence. */
    private static final Pattern IMMUTABLE = Pattern.compile(
            "(field|spec|source) is immutable|may not be changed|updates to .* forbidden|cannot change roleRef");

    private static final int ATTEMPTS = 5;

    private final ControlPlane kubernetes;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", 60);

    KindDifferentialIT(Cluster cluster) {
        this.kubernetes = cluster.controlPlane();
    }

    /** And a class without which no claim may grow. */
    @BeforeAll
    void makeNamespace() {
        kubernetes.createNamespace(NAMESPACE);
        var fast = kubernetes.file("""
                {apiVersion: storage.k8s.io/v1, kind: StorageClass, metadata: {name: fast},
                 provisioner: csi.example.com, allowVolumeExpansion: true}
                """);
        kubernetes.kubectl("apply", "-f", fast).orFail();
    }

    @AfterAll
    void removeClass() {
        kubernetes.kubectl("delete", "storageclass", "fast").orFail();
    }

    /**
     * What became of an edit.
     *
     * @param saysOtherwise whether our words have a phrase that the server's own lack, or tell other clients to delete and
     *     create
     * @param detail for a person who looks into it
     */
    private record Result(Outcome outcome, Optional<Shown> shown, boolean saysOtherwise, String detail) {}

    private static final class Format implements Ledger.Format<Result> {

        @Override
        public ObjectNode written(Result result) {
            var edit = Wire.JSON
                    .createObjectNode()
                    .put("outcome", result.outcome().name())
                    .put("saysOtherwise", result.saysOtherwise())
                    .put("detail", result.detail());
            result.shown().ifPresent(shown -> edit.set("shown", shown.json()));
            return edit;
        }

        @Override
        public Result read(JsonNode edit) {
            return new Result(
                    Outcome.valueOf(edit.path("outcome").textValue()),
                    Shown.of(edit.path("shown")),
                    edit.path("saysOtherwise").asBoolean(),
                    edit.path("detail").textValue());
        }
    }

    static Stream<GuardedKind> kinds() {
        var name = System.getProperty("differential.kind", "all");
        var kinds = GuardedKinds.BESIDE_JOB.stream()
                .filter(kind -> name.equals("all") || kind.name().equals(name))
                .toList();
        assertThat(kinds).as("kinds by the name %s", name).isNotEmpty();
        return kinds.stream();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void refusesNothingThatTheApiServerAccepts(GuardedKind kind)
            throws IOException, InterruptedException, ExecutionException {
        var folder = Files.createDirectories(Project.directory().resolve("target/differential"));
        var name = "%s-%s".formatted(kubernetes.version(), kind.name());
        var ledger = Ledger.open(folder.resolve("%s-%d.jsonl".formatted(name, seed)), new Format());
        var results = results(kind, ledger);
        report(kind, results, folder.resolve(name));
        assertThat(results)
                .filteredOn(result -> result.outcome() == Outcome.WRONGLY_REFUSED)
                .extracting(Result::detail)
                .isEmpty();
        assertThat(results)
                .as(
                        "our words with a phrase, or for a client that deletes and creates, that the server's own are without")
                .filteredOn(Result::saysOtherwise)
                .extracting(Result::detail)
                .isEmpty();
        assertThat(count(results, Outcome.OUR_WORDS))
                .as("edits refused in our words: without any, nothing was tested")
                .isPositive();
    }

    private List<Result> results(GuardedKind kind, Ledger<Result> ledger)
            throws InterruptedException, ExecutionException {
        var samples = KindSamples.of(kind);
        samples.forEach(sample -> KindSamples.make(kubernetes, NAMESPACE, sample));
        var api = KindEdits.api(kind);
        var targets = KindEdits.of(kubernetes, kind);
        var wire =
                new Wire(kubernetes, api, (kind.namespaced() ? "namespaces/" + NAMESPACE + "/" : "") + kind.plural());
        var objects = samples.stream()
                .map(sample -> (ObjectNode)
                        wire.send(User.WITHOUT_US, Wire.get(sample.name())).body())
                .toList();
        var lots = IntStream.iterate(0, first -> first < edits, first -> first + EDITS_OF_A_LOT)
                .boxed()
                .toList();
        SideBySide.run(
                kind.name(),
                lots.stream()
                        .filter(first -> !ledger.has(first, Math.min(EDITS_OF_A_LOT, edits - first)))
                        .<Callable<Void>>map(first -> () -> {
                            ledger.add(
                                    first,
                                    IntStream.rangeClosed(first + 1, Math.min(edits, first + EDITS_OF_A_LOT))
                                            .mapToObj(number -> result(
                                                    kind,
                                                    objects.get(number % objects.size()),
                                                    targets,
                                                    number,
                                                    ATTEMPTS,
                                                    wire))
                                            .toList());
                            return null;
                        })
                        .toList());
        return ledger.results(lots);
    }

    private Result result(GuardedKind kind, ObjectNode live, KindEdits targets, int number, int attempts, Wire wire) {
        var name = live.at("/metadata/name").asText();
        var random = new Random(Draw.seed(seed, kind.name(), number));
        var edited = live.deepCopy();
        var places = targets.edit(edited, number, random);
        var request = request(name, live, edited, random);
        var without = wire.send(User.WITHOUT_US, request);
        var with = wire.send(User.WITH_US, request);
        if (attempts > 1 && !(without.isOfWhatWasRead() && with.isOfWhatWasRead())) {
            var now = (ObjectNode) wire.send(User.WITHOUT_US, Wire.get(name)).body();
            return result(kind, now, targets, number, attempts - 1, wire);
        }
        var outcome = outcome(without, with);
        var saysOtherwise = saysOtherwise(kind, without, with, number);
        return new Result(
                outcome,
                Shown.of(
                        without,
                        isImmutable(without),
                        Optional.of(edited),
                        after -> KindCases.places(kind, live, after)),
                saysOtherwise,
                outcome.isToBeRead() || saysOtherwise
                        ? "%s %s, seed %d, edit %d: %s%n--- the edit%n%s%n--- without us%n%s%n--- with us%n%s%n"
                                .formatted(kind.name(), name, seed, number, places, request, without, with)
                        : "");
    }

    private static Wire.Request request(String name, JsonNode live, JsonNode edited, Random random) {
        var isPut = random.nextBoolean();
        return new Wire.Request(
                        isPut ? "PUT" : "PATCH",
                        "/" + name,
                        Map.of("fieldManager", "kubectl-edit"),
                        (isPut ? Method.PUT : Method.JSON_PATCH).contentType(),
                        isPut ? edited : JsonDiff.asJson(live, edited))
                .asDryRun();
    }

    private static Outcome outcome(Answer without, Answer with) {
        if (without.isAccepted()) {
            return with.isAccepted() ? Outcome.ACCEPTED : Outcome.WRONGLY_REFUSED;
        }
        if (with.isOurWords()) {
            return isImmutable(without) ? Outcome.OUR_WORDS : Outcome.OTHERWISE_REFUSED_OUR_WORDS;
        }
        return isImmutable(without) ? Outcome.LET_THROUGH : Outcome.OTHERWISE_REFUSED;
    }

    static boolean isImmutable(Answer without) {
        return IMMUTABLE.matcher(message(without)).find();
    }

    /** Of more places at once, we may name those alone of which we are certain, and so say less and tell fewer. */
    private static boolean saysOtherwise(GuardedKind kind, Answer without, Answer with, int number) {
        if (!said(kind, without).containsAll(said(kind, with))) {
            return true;
        }
        return KindEdits.isOfOneRow(number)
                ? !told(with).equals(told(without))
                : !told(without).containsAll(told(with));
    }

    /** The phrases of the kind's table that are in the answer; where ours has "a few", the server's own lists fields. */
    private static List<String> said(GuardedKind kind, Answer answer) {
        return Stream.concat(
                        Stream.of(RefusedFields.USUAL_PHRASE),
                        kind.phrases().stream().map(Phrase::words))
                .filter(phrase -> Pattern.compile("\\Q" + phrase.replace("a few", "\\E.*\\Q") + "\\E")
                        .matcher(message(answer))
                        .find())
                .toList();
    }

    private static List<String> told(Answer answer) {
        return RecreatingClients.toldBy(message(answer));
    }

    private static String message(Answer answer) {
        return answer.body().path("message").asText();
    }

    private static int count(List<Result> results, Outcome... outcomes) {
        return Math.toIntExact(results.stream()
                .filter(result -> Arrays.asList(outcomes).contains(result.outcome()))
                .count());
    }

    private void report(GuardedKind kind, List<Result> results, Path name) throws IOException {
        var accepted = count(results, Outcome.ACCEPTED, Outcome.WRONGLY_REFUSED);
        var numbers = Map.of(
                FieldRun.EDITS,
                results.size(),
                FieldRun.ACCEPTED,
                accepted,
                FieldRun.REFUSED,
                results.size() - accepted,
                FieldRun.AS_IMMUTABLE,
                count(results, Outcome.OUR_WORDS, Outcome.LET_THROUGH),
                FieldRun.IN_OUR_WORDS,
                count(results, Outcome.OUR_WORDS, Outcome.OTHERWISE_REFUSED_OUR_WORDS),
                FieldRun.BY_US_ALONE,
                count(results, Outcome.WRONGLY_REFUSED));
        System.out.printf("%s on %s: %s%n", kind.name(), kubernetes.version(), numbers);
        FieldRuns.leave(
                kubernetes.version(),
                kind.name(),
                Shown.run(
                        seed,
                        numbers,
                        results.stream()
                                .flatMap(result -> result.shown().stream())
                                .toList()));
        var details = results.stream()
                .filter(result -> result.outcome().isToBeRead())
                .collect(Collectors.groupingBy(
                        Result::outcome,
                        () -> new EnumMap<>(Outcome.class),
                        Collectors.mapping(Result::detail, Collectors.joining("\n"))));
        for (var outcome : details.entrySet()) {
            Files.writeString(Path.of(name + "-" + outcome.getKey().name() + ".txt"), outcome.getValue());
        }
    }
}
