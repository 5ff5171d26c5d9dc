package dev.gitopsinterlock.testing.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/**
 * A Job with a field that the API server stores otherwise than it is written, so that whoever creates the Job in another
 * one's name owns something else than that one applies.
 *
 * @param words what is special about it
 * @param job a line of its spec
 * @param pod a line of its Pod's spec
 * @param container a line of its container
 */
public record StoredOtherwise(String words, String job, String pod, String container) {

    /** All that were ever seen, and an ordinary one. */
    public static final List<StoredOtherwise> ALL = List.of(
            container("fieldRef", """
                    env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]"""),
            container("resourceFieldRef", """
                    env: [{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}]"""),
            container("cpu 0.5", "resources: {requests: {cpu: \"0.5\"}}"),
            container("cpu 1000m", "resources: {limits: {cpu: 1000m}}"),
            container("memory 1024Mi", "resources: {requests: {memory: 1024Mi}}"),
            pod("projected token", """
                    volumes: [{name: token, projected: {sources: [{serviceAccountToken: {path: token}}]}}]"""),
            pod("downwardAPI", """
                    volumes: [{name: me, downwardAPI: {items: [{path: name, fieldRef: {fieldPath: metadata.name}}]}}]"""),
            job("podFailurePolicy", """
                    podFailurePolicy: {rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}"""),
            job("no unusual field", "backoffLimit: 2"));

    private static StoredOtherwise job(String words, String line) {
        return new StoredOtherwise(words, line, "", "");
    }

    private static StoredOtherwise pod(String words, String line) {
        return new StoredOtherwise(words, "", line, "");
    }

    private static StoredOtherwise container(String words, String line) {
        return new StoredOtherwise(words, "", "", line);
    }

    /** One that a Job may have. */
    public String name() {
        return words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    public String manifest(String name, String version) {
        return """
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                spec:
                  %s
                  template:
                    spec:
                      restartPolicy: Never
                      %s
                      containers:
                        - name: migrate
                          image: registry.example/migrate:%s
                          %s
                """.formatted(name, job, pod, version, container);
    }

    /** Of a Job's fields, without those of its status, and without the time. */
    public static List<JsonNode> owners(JsonNode job) {
        return job.path("metadata")
                .path("managedFields")
                .valueStream()
                .filter(entry -> entry.path("subresource").asText().isEmpty())
                .<JsonNode>map(entry -> entry.<ObjectNode>deepCopy().without("time"))
                .toList();
    }
}
