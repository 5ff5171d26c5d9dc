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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the API server says to the objects of a release when those of the next one are applied on top of them, whatever
 * a tool would do with them instead. What others would have given them, such as a volume, they have not.
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
            var sender = new Sender(namespace, change, wrong);
            change.before().forEach(object -> sender.isRefused(object, false));
            answers.put(change.name(), sender.refused(change.after()));
            if (!change.upgraded().equals(change.after())) {
                answers.put(RealAnswers.upgraded(change), sender.refused(change.upgraded()));
            }
            sender.deleteWhatIsInNoNamespace();
        }

        assertThat(wrong).as("neither accepted nor immutable").isEmpty();
        RealAnswers.KUBERNETES.compare(answers);
    }

    private final class Sender {

        private final String namespace;
        private final RealChange change;
        private final Map<String, Wire> wires = new HashMap<>();
        private final List<String> wrong;

        private Sender(String namespace, RealChange change, List<String> wrong) {
            this.namespace = namespace;
            this.change = change;
            this.wrong = wrong;
        }

        private List<String> refused(List<ObjectNode> objects) {
            return objects.stream()
                    .filter(object -> object.path("metadata").has("name") && isRefused(object, true))
                    .map(RealChange::id)
                    .toList();
        }

        private void deleteWhatIsInNoNamespace() {
            change.before().stream()
                    .filter(object -> !RealChange.kind(object).namespaced())
                    .forEach(object -> wire(object)
                            .send(User.WITHOUT_US, Wire.delete(name(RealChange.placed(object, namespace)))));
        }

        /** Whether it is refused as immutable. */
        private boolean isRefused(ObjectNode object, boolean isDryRun) {
            var request = apply(RealChange.placed(object, namespace));
            var answer = wire(object).send(User.WITHOUT_US, isDryRun ? request.asDryRun() : request);
            var isImmutable = !answer.isAccepted() && KindDifferentialIT.isImmutable(answer);
            if (!answer.isAccepted() && !isImmutable) {
                wrong.add("%s: %s: %d %s"
                        .formatted(
                                change.name(),
                                RealChange.id(object),
                                answer.code(),
                                answer.body().path("message")));
            }
            return isImmutable;
        }

        private Wire wire(ObjectNode object) {
            return wires.computeIfAbsent(object.path("kind").asText(), _ -> {
                var kind = RealChange.kind(object);
                var place = kind.namespaced() ? "namespaces/" + namespace + "/" : "";
                return new Wire(kubernetes, KindEdits.api(kind), place + kind.plural());
            });
        }
    }

    private static Request apply(ObjectNode object) {
        return new Request(
                "PATCH",
                "/" + name(object),
                Map.of("fieldManager", MANAGER, "force", "true"),
                Method.SERVER_SIDE_APPLY.contentType(),
                object);
    }

    private static String name(ObjectNode object) {
        return object.at("/metadata/name").asText();
    }
}
