package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.kinds.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.system.differential.Schema.Field;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.cluster.KindSamples.Sample;
import dev.gitopsinterlock.testing.text.Project;
import io.fabric8.zjsonpatch.JsonDiff;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sends random edits of every kind beside Job twice, both as dry runs: as an account that the webhook configuration leaves
 * out, so that the API server alone judges, and as a person. Nothing is stored, so that both meet the same object. As in
 * {@link DifferentialIT}, {@code differential.seed} gives the same edits again; {@code differential.kinds.n} is their number
 * for each kind.
 */
@ExtendWith(Cluster.Extension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KindDifferentialIT {

    private static final String NAMESPACE = "kind-differential";
    private static final int AT_ONCE = 8;

    /** However the API server says it; there is no one sentence. */
    private static final Pattern IMMUTABLE = Pattern.compile(
            "(field|spec|source) is immutable|may not be changed|updates to .* forbidden|cannot change roleRef");

    private final ControlPlane kubernetes;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.kinds.n", 60);

    KindDifferentialIT(Cluster cluster) {
        this.kubernetes = cluster.controlPlane();
    }

    @BeforeAll
    void makeNamespace() {
        kubernetes.createNamespace(NAMESPACE);
    }

    /** One edit, and what became of it. */
    private record Result(GuardedKind kind, Outcome outcome, String detail) {}

    @Test
    void noKindIsRefusedWhatTheApiServerAccepts() throws Exception {
        var results = new ArrayList<Result>();
        for (var kind : GuardedKinds.ALL) {
            results.addAll(results(kind));
        }
        report(results);
        assertThat(results)
                .filteredOn(result -> result.outcome() == Outcome.WRONGLY_REFUSED)
                .extracting(Result::detail)
                .isEmpty();
        assertThat(GuardedKinds.ALL)
                .as("kinds of which nothing was refused in our words: then nothing was tested")
                .allMatch(kind -> count(results, kind, Outcome.OUR_WORDS) > 0);
    }

    private List<Result> results(GuardedKind kind) throws Exception {
        var samples = KindSamples.of(kind);
        samples.forEach(sample -> KindSamples.make(kubernetes, NAMESPACE, sample));
        var api = kind.group().isEmpty() ? "api/v1" : "apis/" + kind.group() + "/v1";
        var fields = fields(kind, api);
        var wire =
                new Wire(kubernetes, api, (kind.namespaced() ? "namespaces/" + NAMESPACE + "/" : "") + kind.plural());
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            var all = IntStream.rangeClosed(1, edits)
                    .mapToObj(number ->
                            threads.submit(() -> result(samples.get(number % samples.size()), fields, number, wire)))
                    .toList();
            var results = new ArrayList<Result>();
            for (Future<Result> each : all) {
                results.add(each.get());
            }
            return results;
        }
    }

    /** Those of the object but its type, its status, and what the API server itself writes. */
    private List<Field> fields(GuardedKind kind, String api) {
        var type = "io.k8s.api."
                + (kind.group().isEmpty() ? "core" : kind.group().replaceFirst("\\..*", "")) + ".v1." + kind.name();
        return Schema.ofObjects(kubernetes, api, type).fields().stream()
                .filter(field -> !field.path().matches("(apiVersion|kind|status.*|metadata.*)"))
                .toList();
    }

    /** Two of three are of what the table is about. */
    private Result result(Sample sample, List<Field> fields, int number, Wire wire) {
        var kind = sample.kind();
        var random = new Random(Draw.seed(seed, kind.name(), number));
        var fixed = fields.stream().filter(field -> isFixed(kind, field)).toList();
        var live =
                (ObjectNode) wire.send(User.WITHOUT_US, Wire.get(sample.name())).body();
        var edited = live.deepCopy();
        var editor = new Editor(random);
        var places = IntStream.rangeClosed(0, random.nextInt(4) == 0 ? 1 : 0)
                .mapToObj(each -> random.nextInt(3) > 0 ? fixed : fields)
                .map(among -> among.get(random.nextInt(among.size())))
                .flatMap(field -> (random.nextInt(6) == 0
                                ? editor.emptyOrNot(edited, field)
                                : editor.edit(edited, field))
                        .stream())
                .toList();
        var request = request(sample, live, edited, random);
        var without = wire.send(User.WITHOUT_US, request);
        var with = wire.send(User.WITH_US, request);
        return new Result(
                kind,
                outcome(without, with),
                "%s %s, seed %d, edit %d: %s%n--- the edit%n%s%n--- without us%n%s%n--- with us%n%s%n"
                        .formatted(kind.name(), sample.name(), seed, number, places, request, without, with));
    }

    private static boolean isFixed(GuardedKind kind, Field field) {
        return kind.table().fields().stream()
                .anyMatch(fixed -> (field.path() + ".").startsWith(fixed.text() + ".")
                        || field.path().startsWith(fixed.text() + "["));
    }

    private static Wire.Request request(Sample sample, JsonNode live, JsonNode edited, Random random) {
        var isPut = random.nextBoolean();
        return new Wire.Request(
                        isPut ? "PUT" : "PATCH",
                        "/" + sample.name(),
                        Map.of("fieldManager", "kubectl-edit"),
                        (isPut ? Method.PUT : Method.JSON_PATCH).contentType(),
                        isPut ? edited : JsonDiff.asJson(live, edited))
                .asDryRun();
    }

    private static Outcome outcome(Answer without, Answer with) {
        if (without.isAccepted()) {
            return with.isAccepted() ? Outcome.ACCEPTED : Outcome.WRONGLY_REFUSED;
        }
        var isImmutable =
                IMMUTABLE.matcher(without.body().path("message").asText()).find();
        if (with.isOurWords()) {
            return isImmutable ? Outcome.OUR_WORDS : Outcome.OTHERWISE_REFUSED_OUR_WORDS;
        }
        return isImmutable ? Outcome.LET_THROUGH : Outcome.OTHERWISE_REFUSED;
    }

    private static long count(List<Result> results, GuardedKind kind, Outcome outcome) {
        return results.stream()
                .filter(result -> result.kind().equals(kind) && result.outcome() == outcome)
                .count();
    }

    private void report(List<Result> results) throws IOException {
        var columns = List.of(
                Outcome.ACCEPTED,
                Outcome.OUR_WORDS,
                Outcome.LET_THROUGH,
                Outcome.OTHERWISE_REFUSED,
                Outcome.OTHERWISE_REFUSED_OUR_WORDS,
                Outcome.WRONGLY_REFUSED);
        var table = new StringBuilder("| kind | edits");
        columns.forEach(column -> table.append(" | ").append(column.label()));
        table.append(" |\n|---|---:").append("|---:".repeat(columns.size())).append("|\n");
        for (var kind : GuardedKinds.ALL) {
            table.append("| ").append(kind.name()).append(" | ").append(edits);
            columns.forEach(column -> table.append(" | ").append(count(results, kind, column)));
            table.append(" |\n");
        }
        System.out.println(table);
        var folder = Files.createDirectories(Project.directory().resolve("target/differential"));
        Files.writeString(folder.resolve("kinds-" + kubernetes.version() + ".md"), table);
        var details = results.stream()
                .collect(Collectors.groupingBy(
                        Result::outcome,
                        () -> new EnumMap<>(Outcome.class),
                        Collectors.mapping(Result::detail, Collectors.joining("\n"))));
        for (var outcome : List.of(Outcome.WRONGLY_REFUSED, Outcome.LET_THROUGH, Outcome.OTHERWISE_REFUSED_OUR_WORDS)) {
            Files.writeString(
                    folder.resolve("kinds-" + kubernetes.version() + "-" + outcome.name() + ".txt"),
                    details.getOrDefault(outcome, ""));
        }
    }
}
