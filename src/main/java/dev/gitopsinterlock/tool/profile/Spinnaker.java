package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.Fix;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;
import dev.gitopsinterlock.tool.Treatment;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Spinnaker. In spinnaker/clouddriver 5.95.0, clouddriver-kubernetes runs kubectl (op/job/KubectlJobExecutor.java), as
 * the annotations say (description/manifest/KubernetesManifestStrategy.java, op/handler/CanDeploy.java), and annotates
 * what it deploys (description/manifest/KubernetesManifestAnnotater.java).
 */
public final class Spinnaker {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("SpinnakerJobEdit");
    private static final Mark MARK = Mark.annotation("moniker.spinnaker.io/application");

    private static final Set<String> VERSIONED = Set.of("ConfigMap", "Secret", "ReplicaSet");
    private static final String STRATEGY = "strategy.spinnaker.io";
    private static final String RECREATE = STRATEGY + "/recreate";

    public static final ToolProfile PROFILE = ToolProfile.named("Spinnaker", "spinnaker")
            .sendsAgainBy("deploy again")
            .knownBy(Kubectl.appliesWith(MARK))
            .owns(new Ownership(MARK, JOB_EDIT))
            .claims("moniker.spinnaker.io", "artifact.spinnaker.io")
            .bringsBack(Return.WITHOUT_A_CHANGE)
            .delivers(Delivery.by("Spinnaker", "kubectl-client-side-apply", Method.UPDATE)
                    .shownBy(Delivery.markOf(STRATEGY))
                    .treating((manifest, live) -> treatment(manifest))
                    .fixedBy(Map.of(JOB_EDIT.token(), new Fix(RECREATE, List.of("true")))))
            .advises(JOB_EDIT);

    private Spinnaker() {}

    /** A versioned object gets a new name at each change. */
    private static Treatment treatment(ToolMetadata manifest) {
        if (isTrue(manifest, RECREATE) || isVersioned(manifest)) {
            return Treatment.NOT_EDITED;
        }
        return isTrue(manifest, STRATEGY + "/replace") ? Treatment.PUT : Treatment.EDITED;
    }

    /** The annotation goes before what is usual for the kind (KubernetesDeployManifestOperation of clouddriver). */
    private static boolean isVersioned(ToolMetadata manifest) {
        var asked = manifest.annotation(STRATEGY + "/versioned");
        return asked.isEmpty()
                ? VERSIONED.contains(manifest.object().path("kind").asText())
                : Boolean.parseBoolean(asked);
    }

    private static boolean isTrue(ToolMetadata manifest, String key) {
        return Boolean.parseBoolean(manifest.annotation(key));
    }
}
