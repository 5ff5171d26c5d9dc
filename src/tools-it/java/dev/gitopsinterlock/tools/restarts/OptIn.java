package dev.gitopsinterlock.tools.restarts;

import dev.gitopsinterlock.cli.ClusterStatus;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Applications;
import dev.gitopsinterlock.testing.cluster.OpenShiftCluster;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import java.util.Locale;
import java.util.Map;

/** The gate with a switch that is off by default, and with what the chart grants for it. */
final class OptIn {

    private OptIn() {}

    /**
     * Of a control plane that has its tools.
     *
     * @param setting of the gate
     * @param resource that it may list and watch then
     */
    static OpenShiftCluster cluster(ControlPlane kubernetes, String setting, String resource) {
        kubernetes.addDefinitionsOf("openshift");
        var applications = Applications.in(kubernetes, "argocd");
        var registration = Registration.in(kubernetes);
        Registration.allow(kubernetes, "list,watch", resource);
        var interlock = Interlock.serving(kubernetes.webhookCertificates())
                .watching(kubernetes)
                .with("gitops-interlock.machine-configs." + setting, "true")
                .start();
        registration.of(interlock);
        var variable = "MACHINE_CONFIGS_" + setting.toUpperCase(Locale.ROOT).replace('-', '_');
        ClusterStatus.deployed(kubernetes, Map.of(variable, "true"));
        return OpenShiftCluster.of(kubernetes, interlock, applications);
    }
}
