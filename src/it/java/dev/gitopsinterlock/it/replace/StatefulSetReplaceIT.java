package dev.gitopsinterlock.it.replace;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits of StatefulSets that are carried out while their Pods go on running, on the real API server and controllers. */
@ExtendWith(Cluster.Extension.class)
class StatefulSetReplaceIT {

    private static final String SET = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata:
              name: db
              annotations: {gitops-interlock.dev/on-immutable-change: Replace}
            spec:
              replicas: 2
              serviceName: db
              podManagementPolicy: Parallel
              persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}
              selector: {matchLabels: {app: db}}
              template:
                metadata: {labels: {app: db, testbed.gitops-interlock.dev/outcome: run}}
                spec:
                  terminationGracePeriodSeconds: 0
                  containers: [{name: main, image: "registry.example/db:1"}]
              volumeClaimTemplates:
                - metadata: {name: data}
                  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;

    private final Cluster cluster;
    private final Workspace shop;

    StatefulSetReplaceIT(Cluster cluster) {
        this.cluster = cluster;
        shop = Workspace.in(cluster.controlPlane(), "sets");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "apply -f MANIFEST",
                "apply --server-side -f MANIFEST",
                "apply --server-side --field-manager=helm -f MANIFEST"
            })
    void anAppliedEditLeavesThePodsAndBelongsToTheClientAlone(String command) {
        var edited = renamed(SET);
        shop.kubectl(arguments(command, SET)).orFail();
        awaitReady("db", 2);
        var uid = uid();
        var pods = pods();
        var claims = uids("persistentvolumeclaims");

        var answer = shop.kubectl(arguments(command, edited)).orFail();

        assertReplaced(answer, uid, pods);
        assertThat(uids("persistentvolumeclaims")).isEqualTo(claims);
        var replaced = set();
        // kubectl finds claim templates different, always
        assertThat(shop.kubectl(arguments(command, edited)).orFail().text())
                .doesNotContain("Warning")
                .matches("(?s).*(configured|serverside-applied)\\n");
        assertThat(uid()).isEqualTo(replaced.at("/metadata/uid").asText());

        shop.kubectl("delete", "statefulset", "db", "--cascade=orphan").orFail();
        shop.kubectl(arguments(command, edited)).orFail();
        awaitReady("db", 2);
        assertThat(Jobs.owners(replaced)).isEqualTo(Jobs.owners(set()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "replace -f MANIFEST",
                "patch statefulset db --type=merge -p {\"spec\":{\"serviceName\":\"db-headless\"}}",
                "patch statefulset db --type=json -p [{\"op\":\"replace\",\"path\":\"/spec/serviceName\",\"value\":\"db-headless\"}]"
            })
    void anyOtherEditLeavesThePodsToo(String command) {
        create();
        var uid = uid();
        var pods = pods();

        assertReplaced(shop.kubectl(arguments(command, renamed(SET))).orFail(), uid, pods);
    }

    @Test
    void claimTemplatesChangeAndClaimsDoNot() {
        create();
        var uid = uid();
        var pods = pods();
        var claims = uids("persistentvolumeclaims");

        var answer = edit(SET.replace("1Gi", "2Gi")).orFail();

        assertReplaced(answer, uid, pods);
        assertThat(answer.err()).contains("Warning: PersistentVolumeClaims that exist stay as they are");
        assertThat(uids("persistentvolumeclaims")).isEqualTo(claims);
        assertThat(set().at("/spec/volumeClaimTemplates/0/spec/resources/requests/storage")
                        .asText())
                .isEqualTo("2Gi");
    }

    /** As after every change of the template, and not before the new one has them. */
    @Test
    void aTemplateThatChangesTooIsRolledOut() {
        create();
        var uid = uid();
        var pods = pods();

        edit(renamed(SET).replace("db:1", "db:2")).orFail();

        assertThat(uid()).isNotEqualTo(uid);
        await("the rollout's end")
                .atMost(Patience.LIMIT)
                .until(() -> set().at("/status/updatedReplicas").asInt() == 2
                        && set().at("/status/currentRevision").equals(set().at("/status/updateRevision")));
        assertThat(pods()).hasSize(2).doesNotContainValue(pods.get("db-0")).doesNotContainValue(pods.get("db-1"));
    }

    @Test
    void aDryRunChangesNothing() {
        create();
        var before = set();

        var answer = shop.kubectl("apply", "--dry-run=server", "-f", shop.file(renamed(SET)))
                .orFail();

        assertThat(answer.err()).contains("Warning: StatefulSet db would be replaced; its Pods would be left running");
        assertThat(set()).isEqualTo(before);
    }

    /** A partition leaves Pods of the old revision, of which a new StatefulSet would know nothing. */
    @Test
    void notWhileARolloutIsUnderWay() {
        create();
        edit(SET.replace("db:1", "db:2")
                        .replace(
                                "  replicas: 2\n",
                                "  replicas: 2\n  updateStrategy: {rollingUpdate: {partition: 1}}\n"))
                .orFail();
        await("half of it")
                .atMost(Patience.LIMIT)
                .until(() -> set().at("/status/updatedReplicas").asInt() == 1);

        assertRefused(
                shop.kubectl("patch", "statefulset", "db", "--type=merge", "-p", "{\"spec\":{\"serviceName\":\"x\"}}"),
                "a rollout is under way",
                "StatefulSetNotReplaced");
    }

    /** Before 1.37 its status goes on naming the old revision, of which there is no Pod any more. */
    @Test
    void underOnDeleteOnceAllPodsAreReplaced() {
        var set = SET.replace("  replicas: 2\n", "  replicas: 2\n  updateStrategy: {type: OnDelete}\n");
        shop.apply(set);
        awaitReady("db", 2);
        edit(set.replace("db:1", "db:2")).orFail();
        assertRefused(edit(renamed(set).replace("db:1", "db:2")), "a rollout is under way", "StatefulSetNotReplaced");
        shop.kubectl("delete", "pods", "db-0", "db-1").orFail();
        await("new Pods")
                .atMost(Patience.LIMIT)
                .until(() -> set().at("/status/updatedReplicas").asInt() == 2);
        awaitReady("db", 2);
        var uid = uid();
        var pods = pods();

        assertReplaced(edit(renamed(set).replace("db:1", "db:2")).orFail(), uid, pods);
    }

    @Test
    void notWithAFinalizer() {
        shop.apply(SET.replace("  name: db\n", "  name: db\n  finalizers: [example.com/backup]\n"));
        awaitReady("db", 2);

        assertRefused(edit(renamed(SET)), "it has a finalizer", "StatefulSetNotReplaced");
        shop.kubectl("patch", "statefulset", "db", "--type=merge", "-p", "{\"metadata\":{\"finalizers\":null}}")
                .orFail();
    }

    @Test
    void notForWhoMayNotDeleteIt() {
        create();
        var deployer = shop.account("deployer", "get");
        shop.kubectl("create", "role", "sets", "--resource=statefulsets.apps", "--verb=get,patch,create")
                .orFail();
        shop.kubectl(
                        "create",
                        "rolebinding",
                        "sets",
                        "--role=sets",
                        "--serviceaccount=" + shop.namespace() + ":deployer")
                .orFail();

        assertRefused(
                shop.kubectl("--as=" + deployer, "apply", "-f", shop.file(renamed(SET))),
                "you lack the right to delete StatefulSets here",
                "StatefulSetNotReplaced");
    }

    /** What would happen is what the denial says: the controller could not use the old Pods (kubernetes#141876). */
    @Test
    void notWhereClaimTemplatesComeBecauseTheNewOneWouldBeStuck() {
        create();
        var another = SET + """
                - metadata: {name: logs}
                  spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
            """;
        assertRefused(edit(another), "Do not use --cascade=orphan", "StatefulSetPodsEdit");

        shop.kubectl("delete", "statefulset", "db", "--cascade=orphan").orFail();
        shop.apply(another);

        await("an Event that says so")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(
                                shop.kubectl("events", "--for=statefulset/db").out())
                        .contains("FailedUpdate", "pod updates may not change fields"));
    }

    /** Every Pod keeps its uid. {@code sets} is how many StatefulSets there are; it was run with 100. */
    @Test
    void manyOfThem() {
        var sets = Integer.getInteger("sets", 10);
        var all = IntStream.range(0, sets)
                .mapToObj(i ->
                        SET.replace("name: db\n", "name: db-%d\n".formatted(i)).replace("app: db", "app: db-" + i))
                .map(set -> set.substring(0, set.indexOf("  volumeClaimTemplates")))
                .collect(joining("---\n"));
        shop.apply(all);
        await("all Pods").atMost(Patience.LIMIT).until(() -> pods().size() == 2 * sets);
        IntStream.range(0, sets).forEach(i -> awaitReady("db-" + i, 2));
        var pods = pods();
        var old = uids("statefulsets");

        shop.kubectl("apply", "-f", shop.file(all.replace("serviceName: db\n", "serviceName: db-headless\n")))
                .orFail();

        assertThat(uids("statefulsets").values()).hasSize(sets).doesNotContainAnyElementsOf(old.values());
        await("all Pods taken over")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(owners())
                        .containsExactlyInAnyOrderElementsOf(
                                uids("statefulsets").values()));
        IntStream.range(0, sets).forEach(i -> awaitReady("db-" + i, 2));
        assertThat(pods()).isEqualTo(pods);
    }

    private void create() {
        shop.apply(SET);
        awaitReady("db", 2);
    }

    private Command.Result edit(String manifest) {
        return shop.kubectl("apply", "-f", shop.file(manifest));
    }

    private static String renamed(String set) {
        return set.replace("serviceName: db\n", "serviceName: db-headless\n");
    }

    private String[] arguments(String command, String manifest) {
        return command.replace("MANIFEST", shop.file(manifest)).split(" ", -1);
    }

    private void assertReplaced(Command.Result answer, String uid, Map<String, String> pods) {
        assertThat(answer.err()).contains("Warning: StatefulSet db was replaced; its Pods were left running");
        assertThat(uid()).isNotEqualTo(uid);
        await("Pods taken over")
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(owners()).containsExactly(uid()));
        awaitReady("db", 2);
        assertThat(pods()).isEqualTo(pods);
        assertThat(cluster.interlock().log()).doesNotContain("registry.example/db");
    }

    private void assertRefused(Command.Result answer, String... words) {
        var uid = uid();
        assertThat(answer.exitCode()).isNotZero();
        assertThat(answer.err()).contains(words);
        assertThat(uid()).isEqualTo(uid);
        assertThat(set().at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
        assertThat(set().at("/spec/serviceName").asText()).isEqualTo("db");
    }

    private void awaitReady(String name, int pods) {
        await(name + " ready").atMost(Patience.LIMIT).until(() -> {
            var set = Trees.json(shop.kubectl("get", "statefulset", name, "-o", "json")
                    .orFail()
                    .out());
            return set.at("/status/readyReplicas").asInt() == pods
                    && set.at("/status/observedGeneration").equals(set.at("/metadata/generation"));
        });
    }

    private JsonNode set() {
        return Trees.json(shop.kubectl("get", "statefulset", "db", "-o", "json", "--show-managed-fields")
                .orFail()
                .out());
    }

    private String uid() {
        return set().at("/metadata/uid").asText();
    }

    /** Uids by name. */
    private Map<String, String> pods() {
        return uids("pods");
    }

    private Map<String, String> uids(String resource) {
        return list(resource)
                .valueStream()
                .collect(toMap(
                        object -> object.at("/metadata/name").asText(),
                        object -> object.at("/metadata/uid").asText()));
    }

    /** Of Pods. */
    private Set<String> owners() {
        return list("pods")
                .valueStream()
                .map(pod -> pod.at("/metadata/ownerReferences/0/uid").asText())
                .collect(toSet());
    }

    private JsonNode list(String resource) {
        return Trees.json(shop.kubectl("get", resource, "-o", "json").orFail().out())
                .path("items");
    }
}
