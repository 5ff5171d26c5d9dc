package dev.gitopsinterlock.system.stress;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Locale;

/** What is edited, and what it does then. */
enum Kind {
    FINISHED("succeed"),
    RUNNING("run"),
    /** Of a StatefulSet its serviceName is edited, and its Pods go on. */
    STATEFUL_SET("run") {
        @Override
        ObjectNode manifest(String name, String version) {
            return (ObjectNode) Trees.json("""
                    {
                      'apiVersion': 'apps/v1', 'kind': 'StatefulSet',
                      'metadata': {'name': '%1$s', 'annotations': {'gitops-interlock.dev/on-immutable-change': 'Replace'}},
                      'spec': {
                        'serviceName': '%2$s', 'podManagementPolicy': 'Parallel', 'selector': {'matchLabels': {'app': '%1$s'}},
                        'template': {
                          'metadata': {'labels': {'app': '%1$s', 'testbed.gitops-interlock.dev/outcome': 'run'}},
                          'spec': {'terminationGracePeriodSeconds': 0, 'containers': [%3$s]}}}
                    }
                    """.formatted(name, service(version), container("1.0")));
        }

        @Override
        JsonNode edit(String version) {
            return Trees.json("{'spec': {'serviceName': '%s'}}".formatted(service(version)));
        }

        @Override
        boolean is(JsonNode set, String version) {
            return set.at("/spec/serviceName").asText().equals(service(version));
        }

        @Override
        boolean isReached(JsonNode set) {
            var status = set.path("status");
            return status.path("readyReplicas").equals(set.at("/spec/replicas"))
                    && status.path("observedGeneration").equals(set.at("/metadata/generation"))
                    && status.path("currentRevision").equals(status.path("updateRevision"));
        }
    };

    static final List<Kind> JOBS = List.of(FINISHED, RUNNING);

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

    /** Whether the object has the edit. */
    boolean is(JsonNode job, String version) {
        return job.at("/spec/template/spec/containers/0/image").asText().endsWith(":" + version);
    }

    private static String service(String version) {
        return "v" + version.replace('.', '-');
    }

    private static String container(String version) {
        return "{'name': 'migrate', 'image': 'registry.example/migrate:%s'}".formatted(version);
    }

    boolean isReached(JsonNode job) {
        var status = job.path("status");
        return this == FINISHED
                ? status.path("conditions").findValuesAsText("type").contains("Complete")
                : status.path("ready").asInt() == 1;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
