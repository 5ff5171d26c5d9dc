package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Wire.Request;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.change.RealAnswers;
import dev.gitopsinterlock.testing.change.RealChange;
import dev.gitopsinterlock.testing.cluster.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the API server says to the Jobs of a release when those of the next one are applied on top of them, whatever a
 * tool would do with them instead.
 */
@ExtendWith(Cluster.Extension.class)
class RealChangesIT {

    private static final String MANAGER = "real-changes";

    private final ControlPlane kubernetes;

    RealChangesIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
    }

    @Test
    void theApiServerSaysWhatIsRecorded() {
        var wrong = new ArrayList<String>();
        var answers = new TreeMap<String, List<String>>();
        var number = 0;
        for (var change : RealChange.all()) {
            var namespace = "real-change-" + ++number;
            kubernetes.createNamespace(namespace);
            var wire = new Wire(kubernetes, namespace);
            for (var job : change.before()) {
                send(wire, apply(job), change, wrong);
            }
            answers.put(change.name(), refused(wire, change, change.after(), wrong));
            if (!change.upgraded().equals(change.after())) {
                answers.put(RealAnswers.upgraded(change), refused(wire, change, change.upgraded(), wrong));
            }
        }

        assertThat(wrong).as("neither accepted nor immutable").isEmpty();
        RealAnswers.KUBERNETES.compare(answers);
    }

    private static List<String> refused(Wire wire, RealChange change, List<ObjectNode> jobs, List<String> wrong) {
        var refused = new ArrayList<String>();
        for (var job : jobs) {
            if (job.path("metadata").has("name") && send(wire, apply(job).asDryRun(), change, wrong)) {
                refused.add(job.at("/metadata/name").asText());
            }
        }
        return refused;
    }

    /** Whether it is refused as immutable. */
    private static boolean send(Wire wire, Request request, RealChange change, List<String> wrong) {
        var answer = wire.send(User.WITHOUT_US, request);
        if (!answer.isAccepted() && !answer.isImmutable()) {
            wrong.add(change.name() + ": " + answer.code() + " " + answer.body().path("message"));
        }
        return answer.isImmutable();
    }

    private static Request apply(ObjectNode job) {
        return new Request(
                "PATCH",
                "/" + job.at("/metadata/name").asText(),
                Map.of("fieldManager", MANAGER, "force", "true"),
                Method.SERVER_SIDE_APPLY.contentType(),
                job);
    }
}
