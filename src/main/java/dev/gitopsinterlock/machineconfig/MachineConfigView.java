package dev.gitopsinterlock.machineconfig;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * What is known of an OpenShift cluster at one moment. Empty is "not known": not read yet, not readable, or too old to
 * be trusted. A cluster without OpenShift is known to have none of these.
 *
 * @param pools all of them
 * @param upgrading whether a ClusterVersion is Progressing
 */
public record MachineConfigView(Optional<List<Pool>> pools, Optional<Boolean> upgrading) {

    /** Whether a ClusterVersion says that an upgrade is under way. */
    public static boolean isProgressing(JsonNode clusterVersion) {
        return clusterVersion
                .path("status")
                .path("conditions")
                .valueStream()
                .anyMatch(condition -> condition.path("type").asText().equals("Progressing")
                        && condition.path("status").asText().equals("True"));
    }
}
