package dev.gitopsinterlock.status;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ObjectReference;
import java.util.Map;
import java.util.Optional;

/** On which object people are told of a rollout: a MachineConfigPool, or a Plan of the system-upgrade-controller. */
public record Subject(String kind, ObjectName name) {

    private static final Map<String, String> NOUNS = Map.of("MachineConfigPool", "pool", "Plan", "plan");

    static Subject of(ObjectReference object) {
        return new Subject(object.kind(), new ObjectName(object.namespace(), object.name()));
    }

    /** The subject of an Event of {@code events.k8s.io/v1}; empty where it is about something else. */
    public static Optional<Subject> ofEvent(JsonNode event) {
        var object = event.path("regarding");
        return Optional.of(new Subject(object.path("kind").asText(), RecentEdit.name(object)))
                .filter(subject -> NOUNS.containsKey(subject.kind()));
    }

    /** What such an object is called in a sentence. */
    public String noun() {
        return NOUNS.getOrDefault(kind, kind);
    }
}
