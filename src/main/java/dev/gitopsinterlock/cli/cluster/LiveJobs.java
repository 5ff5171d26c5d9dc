package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.check.ObjectId;
import dev.gitopsinterlock.cli.input.Unreadable;
import java.util.Optional;

/**
 * The Jobs that are in a cluster now.
 *
 * @param cluster to be asked
 * @param namespace of Jobs that name none
 */
public record LiveJobs(ClusterReader cluster, String namespace) {

    private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

    /** The Job of that name; empty where there is none, as of a name that is to be generated or filled in. */
    public Optional<JsonNode> of(ObjectId id) throws Unreadable {
        var where = id.namespace().isEmpty() ? namespace : id.namespace();
        return Wording.isName(where) && Wording.isName(id.name())
                ? cluster.get("/apis/batch/v1/namespaces/%s/jobs/%s".formatted(where, id.name()))
                : Optional.empty();
    }

    /** The manifest that a client-side apply has left on a Job; a missing node where there is none. */
    public static JsonNode appliedTo(Optional<JsonNode> job) throws Unreadable {
        var text = job.map(live -> live.path("metadata")
                        .path("annotations")
                        .path(LAST_APPLIED)
                        .asText())
                .orElse("");
        return text.isEmpty() ? MissingNode.getInstance() : JsonText.parse(text);
    }
}
