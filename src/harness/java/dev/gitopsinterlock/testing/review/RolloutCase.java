package dev.gitopsinterlock.testing.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.announced.AnnouncedHold;
import dev.gitopsinterlock.argocd.ProgressiveSync;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.flux.Reconciliation;
import dev.gitopsinterlock.gate.GatePolicy;
import dev.gitopsinterlock.gate.GateRoute.Facts;
import dev.gitopsinterlock.gate.ObjectChange;
import dev.gitopsinterlock.gate.Rollout;
import dev.gitopsinterlock.gate.RolloutHeld;
import dev.gitopsinterlock.machineconfig.Pool;
import dev.gitopsinterlock.policy.SyncHold;
import dev.gitopsinterlock.testing.text.Trees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A folder of src/test/resources/reviews/rollouts: a review for the gate, the cluster beside it, and the answer.
 *
 * @param name of the folder
 * @param file what request.yaml says
 * @param expected what expected.yaml says
 */
public record RolloutCase(String name, JsonNode file, JsonNode expected) {

    private static final String FOLDER = "reviews/rollouts";

    public static List<RolloutCase> all() {
        return CaseFolders.names(FOLDER).stream().map(RolloutCase::named).toList();
    }

    public static RolloutCase named(String name) {
        var folder = FOLDER + "/" + name;
        return new RolloutCase(
                name, Trees.resource(folder + "/request.yaml"), Trees.resource(folder + "/expected.yaml"));
    }

    /** The AdmissionReview; a new tree for each call. */
    public ObjectNode review() {
        ObjectNode review =
                Trees.resource("reviews/others/" + reviewName() + ".yaml").deepCopy();
        if (isAboutANode()) {
            // the fixture carries a secret there, for the tests that look for one
            Trees.change(
                    review,
                    Trees.json("{'/request/oldObject/metadata/annotations/gitops-interlock.dev~1sync-hold': null,"
                            + " '/request/object/metadata/annotations/gitops-interlock.dev~1sync-hold': null}"));
        }
        Trees.change(review.withObject("/request"), file.path("request"));
        return review;
    }

    private String reviewName() {
        return file.path("review").asText();
    }

    public boolean isAboutANode() {
        return reviewName().equals("node");
    }

    public GatePolicy policy() {
        var usual = Gates.ENABLED;
        return new GatePolicy(
                SyncHold.SETTING.parse(cluster().path("syncHold").asText()).orElseThrow(),
                usual.maxHold(),
                usual.maxHoldRequired(),
                usual.scope(),
                cluster().path("holdsForJobs").asBoolean(),
                cluster().path("sparesHarmless").asBoolean());
    }

    public Caller caller() {
        return cluster().path("caller").asText().equals("Unauthenticated")
                ? new Caller.Unauthenticated()
                : new Caller.ApiServer();
    }

    private static Stream<RunningSync> announced(JsonNode cluster) {
        return list(cluster, "leases").stream()
                .flatMap(List::stream)
                .flatMap(each -> AnnouncedHold.of(each).stream())
                .flatMap(hold ->
                        hold
                                .at(
                                        instant(cluster, "now").orElseThrow(),
                                        Gates.ENABLED.scope().maxAge())
                                .stream());
    }

    /** What is known of the cluster as the case has it. */
    public KnownCluster known() {
        var cluster = cluster();
        return new KnownCluster(
                list(cluster, "applications")
                        .map(applications -> Stream.of(
                                        applications.stream().flatMap(each -> RunningSync.of(each).stream()),
                                        list(cluster, "applicationSets").stream()
                                                .flatMap(List::stream)
                                                .flatMap(each -> ProgressiveSync.of(each).stream()),
                                        list(cluster, "kustomizations").stream()
                                                .flatMap(List::stream)
                                                .flatMap(each -> Reconciliation.of(each).stream()),
                                        announced(cluster))
                                .flatMap(syncs -> syncs)
                                .toList()),
                list(cluster, "pools").map(list -> list.stream().map(Pool::of).toList()),
                Optional.of(cluster.path("upgrading"))
                        .filter(JsonNode::isBoolean)
                        .map(JsonNode::asBoolean));
    }

    /** The cluster as the case has it. */
    public Facts facts() {
        var cluster = cluster();
        return new Facts() {
            @Override
            public Optional<List<RunningSync>> syncs() {
                return known().syncs();
            }

            @Override
            public Instant now() {
                return instant(cluster, "now").orElseThrow();
            }

            @Override
            public Optional<Instant> created(String path, Duration patience) {
                return instant(cluster, "created");
            }

            @Override
            public Optional<List<String>> jobsOn(String node, Duration patience) {
                return list(cluster, "jobs")
                        .map(jobs -> jobs.stream().map(JsonNode::asText).toList());
            }

            @Override
            public boolean interrupts(Rollout rollout, ObjectChange change, Duration patience) {
                return cluster.path("interrupts").asBoolean(true);
            }

            @Override
            public void release(Rollout rollout, Instant now) {}

            @Override
            public Optional<Instant> heldSince(Rollout rollout) {
                return instant(cluster, "heldSince");
            }

            @Override
            public void refused(Caller caller, Rollout rollout, RolloutHeld held, Instant now) {}

            @Override
            public void observed(Caller caller, Rollout rollout, RolloutHeld held, Instant now) {}
        };
    }

    private ObjectNode cluster() {
        ObjectNode cluster = Trees.resource("reviews/bases/cluster.yaml").deepCopy();
        Trees.change(cluster, file.path("cluster"));
        return cluster;
    }

    private static Optional<List<JsonNode>> list(JsonNode cluster, String name) {
        return Optional.of(cluster.path(name))
                .filter(JsonNode::isArray)
                .map(list -> list.valueStream().toList());
    }

    private static Optional<Instant> instant(JsonNode cluster, String name) {
        return Optional.of(cluster.path(name)).filter(JsonNode::isTextual).map(text -> Instant.parse(text.asText()));
    }

    /** Writes the expectation anew, to be read before it is committed. */
    public void expect(String yaml) {
        CaseFolders.expect(FOLDER, name, yaml);
    }

    @Override
    public String toString() {
        return name;
    }
}
