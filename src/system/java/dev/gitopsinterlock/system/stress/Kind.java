package dev.gitopsinterlock.system.stress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.Locale;

/** What the Jobs do when they are edited. */
enum Kind {
    FINISHED("succeed"),
    RUNNING("run");

    private final String outcome;

    Kind(String outcome) {
        this.outcome = outcome;
    }

    ObjectNode manifest(String name, String version) {
        return (ObjectNode) Trees.json("""
                {
                  'apiVersion': 'batch/v1', 'kind': 'Job',
                  'metadata': {'name': '%s', 'annotations': {
                    'gitops-interlock.dev/on-immutable-change': 'Replace',
                    'gitops-interlock.dev/when-active': 'Replace'}},
                  'spec': {'template': {
                    'metadata': {'labels': {'testbed.gitops-interlock.dev/outcome': '%s'}},
                    'spec': {'restartPolicy': 'Never', 'containers': [%s]}}}
                }
                """.formatted(name, outcome, container(version)));
    }

    /** A merge patch. */
    JsonNode edit(String version) {
        return Trees.json("{'spec': {'template': {'spec': {'containers': [%s]}}}}".formatted(container(version)));
    }

    private static String container(String version) {
        return "{'name': 'migrate', 'image': 'registry.example/migrate:%s'}".formatted(version);
    }

    boolean isReached(JsonNode job) {
        var status = job.path("status");
        return switch (this) {
            case FINISHED -> status.path("conditions").findValuesAsText("type").contains("Complete");
            case RUNNING -> status.path("ready").asInt() == 1;
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
