package dev.gitopsinterlock.tools.argocd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.client.GitRepository;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import dev.gitopsinterlock.testing.text.Trees;
import dev.gitopsinterlock.tools.argocd.ArgoCdRow.Tracking;
import dev.gitopsinterlock.tools.scenario.EveryKindTable;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An edit that Kubernetes refuses, of every kind, in every way in which Argo CD tracks, applies and compares, under every
 * policy: within one reconciliation the change is applied, or the Application shows why not. The golden has what each row
 * of {@code make argocd-table} showed, and docs/scenarios.md sums it up; by itself this goes through combinations of two.
 */
@RequiresTools("argocd")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArgoCdEveryKindToolsIT {

    private static final boolean ALL = Boolean.getBoolean("argocd.all-rows");
    /** Grows row by row, so that a run that was interrupted goes on; gone when all rows were compared. */
    private static final Path SEEN = Project.directory().resolve("target/argocd-every-kind.tsv");

    private static final String WRITTEN_BY = "make argocd-table GOLDEN=true";
    private static final String FORGOTTEN = "Synced, and not applied";
    private static final Pattern OUR_CODE = Pattern.compile("\\. ([A-Z]\\w+)\\.?( \\(retried|$|\")");

    private final Map<Tracking, Bed> beds = new EnumMap<>(Tracking.class);
    private final Map<List<String>, String> golden = EveryKindTable.rows(EveryKindTable.golden());
    private int noted;

    /** A control plane with an Argo CD of one setting, which syncs as the account that the project names. */
    private record Bed(Cluster cluster, ArgoCd argoCd) {

        static Bed of(Tracking tracking) {
            var cluster = Cluster.start();
            var kubernetes = cluster.controlPlane();
            var argoCd = ArgoCd.start(
                    kubernetes,
                    Map.of(
                            "application.resourceTrackingMethod",
                            tracking.setting,
                            "application.sync.impersonation.enabled",
                            "true"));
            kubernetes
                    .kubectl(
                            "apply",
                            "-f",
                            kubernetes.file(
                                    Texts.read(Project.directory().resolve("src/test/resources/argocd/projects.yaml"))))
                    .orFail();
            return new Bed(cluster, argoCd);
        }
    }

    static List<ArgoCdRow> rows() {
        if (!ALL) {
            return ArgoCdRow.pairs();
        }
        var seen = EveryKindTable.rows(SEEN).keySet();
        var left = ArgoCdRow.all().stream()
                .filter(row -> !seen.contains(row.cells()))
                .toList();
        System.out.printf("table: %,d rows seen before, %,d to go%n", seen.size(), left.size());
        return left;
    }

    @BeforeAll
    void start() {
        for (var tracking : Tracking.values()) {
            beds.put(tracking, Bed.of(tracking));
        }
    }

    @AfterAll
    void end() throws IOException {
        for (var bed : beds.values()) {
            bed.argoCd().close();
            bed.cluster().close();
        }
        var seen = EveryKindTable.rows(SEEN);
        if (ALL && seen.size() == ArgoCdRow.all().size()) {
            GoldenFiles.compare(EveryKindTable.golden(), EveryKindTable.text(seen), WRITTEN_BY);
            Files.delete(SEEN);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("rows")
    @Execution(ExecutionMode.CONCURRENT)
    void isAppliedOrShown(ArgoCdRow row, @TempDir Path folder) throws IOException {
        var bed = Objects.requireNonNull(beds.get(row.tracking()));
        var shop = Workspace.in(bed.cluster().controlPlane(), "row");
        shop.onImmutableChange(row.policy());
        var git = GitRepository.in(folder);
        var app = bed.argoCd().application(shop.namespace());
        var before = object(row, shop);
        var after = JsonPatch.apply(Trees.json(row.sample().refused().orElseThrow()), before);
        var first = git.commit("object.yaml", before.toString());
        app.apply(row.application(git.url(), shop.namespace()));
        app.awaitEnd(first, "Succeeded");

        var second = git.commit("object.yaml", after.toString());
        app.refresh();

        var told = app.await(
                "through with the change",
                live -> isSyncedTo(live, second)
                        || (row.isForgotten() && isUnknownAt(live, second))
                        || isThrough(live, second, "Succeeded")
                        || (isThrough(live, second, "Failed")
                                && live.at("/status/conditions")
                                        .findValuesAsText("type")
                                        .contains("SyncError")));
        var outcome = outcome(row, shop, after, told);
        if (ALL) {
            note(row, outcome);
        } else if (!ArgoCd.isBefore36()) {
            GoldenFiles.check(
                    WRITTEN_BY, () -> assertThat(outcome).isEqualTo(EveryKindTable.expected(row.cells(), golden)));
        }
        if (!row.isForgotten()) {
            assertThat(outcome).isNotEqualTo(FORGOTTEN);
        }
        shop.kubectl(
                        "delete",
                        row.sample().kind().plural() + "." + row.sample().kind().group(),
                        shop.namespace(),
                        "--wait=false")
                .orFail();
        app.delete();
    }

    private synchronized void note(ArgoCdRow row, String outcome) throws IOException {
        Files.writeString(
                SEEN,
                String.join("\t", row.cells()) + "\t" + outcome + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
        noted++;
        if (noted % 50 == 0) {
            System.out.printf("table: %,d rows%n", noted);
        }
    }

    private static ObjectNode object(ArgoCdRow row, Workspace shop) {
        var object = row.sample().object().deepCopy();
        var metadata = object.withObject("/metadata").put("name", shop.namespace());
        metadata.remove("annotations");
        return object;
    }

    private static String outcome(ArgoCdRow row, Workspace shop, JsonNode after, JsonNode told) {
        if (!told.at("/status/operationState/phase").asText().equals("Failed")) {
            return isApplied(row, shop, after) ? "applied" : FORGOTTEN;
        }
        var words = told.at("/status/operationState/message").asText();
        var code = OUR_CODE.matcher(words);
        boolean isOurs = code.find();
        assertThat(told.at("/status/sync/status").asText()).isEqualTo("OutOfSync");
        assertThat(isOurs)
                .as("our words on %s: %s", row, words)
                .isEqualTo(!List.of("Warn", "Ignore").contains(row.policy()));
        assertThat(words).containsPattern("immutable|is invalid|may not be changed|forbidden");
        return "%s, sync %s: %s"
                .formatted(
                        told.at("/status/sync/status").asText(),
                        told.at("/status/operationState/phase").asText(),
                        isOurs ? code.group(1) : "Kubernetes' words");
    }

    /** Whether the live object has what the edit is about. */
    private static boolean isApplied(ArgoCdRow row, Workspace shop, JsonNode after) {
        var kind = row.sample().kind();
        var live = Trees.json(shop.kubectl("get", kind.plural() + "." + kind.group(), shop.namespace(), "-o", "json")
                .orFail()
                .out());
        return Trees.json(row.sample().refused().orElseThrow()).findValuesAsText("path").stream()
                .allMatch(path -> live.at(path).equals(after.at(path)));
    }

    private static boolean isSyncedTo(JsonNode live, String commit) {
        return live.at("/status/sync/status").asText().equals("Synced")
                && live.at("/status/sync/revision").asText().equals(commit)
                && !live.has("operation");
    }

    /** By turns with Synced, where Argo CD forgets why it could not compare. */
    private static boolean isUnknownAt(JsonNode live, String commit) {
        return live.at("/status/sync/status").asText().equals("Unknown")
                && live.at("/status/sync/revision").asText().equals(commit)
                && live.at("/status/conditions").findValuesAsText("type").contains("ComparisonError");
    }

    private static boolean isThrough(JsonNode live, String commit, String phase) {
        return !live.has("operation")
                && live.at("/status/operationState/operation/sync/revision")
                        .asText()
                        .equals(commit)
                && live.at("/status/operationState/phase").asText().equals(phase);
    }
}
