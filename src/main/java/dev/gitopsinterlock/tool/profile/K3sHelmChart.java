package dev.gitopsinterlock.tool.profile;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Requester.ServiceAccount;
import dev.gitopsinterlock.tool.Sender;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolProfile;
import dev.gitopsinterlock.tool.ToolProfile.Return;

/**
 * A HelmChart of k3s or RKE2. In k3s-io/helm-controller, pkg/controllers/chart/chart.go runs Helm in a Job
 * {@code helm-install-<chart>} with the service account {@code helm-<chart>}, both in the HelmChart's Namespace; the program
 * there is Helm's own (entry in k3s-io/klipper-helm), so that nothing but the Pod tells the two apart. It owns as Helm
 * does. In kube-system, where k3s keeps its own HelmCharts, nobody is judged.
 */
public final class K3sHelmChart {

    private static final String ACCOUNT = "helm-";

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("K3sHelmChartJobEdit");

    public static final ToolProfile PROFILE = ToolProfile.named("k3s HelmChart", "k3s-helmchart")
            .sendsAgainBy("let the HelmChart be installed again")
            .knownBy(new Sign(
                    "service account `helm-<chart>` with a token bound to a Pod `helm-install-<chart>-*`",
                    "",
                    K3sHelmChart::isSender))
            .owns(Helm.OWNERSHIP)
            .bringsBack(Return.WITH_A_CHANGE)
            .advises(edit -> edit.marks().isHelmHook() ? Helm.HOOK_JOB_EDIT : JOB_EDIT, JOB_EDIT);

    private K3sHelmChart() {}

    private static boolean isSender(Sender sender) {
        var user = sender.user();
        var chart = user.serviceAccount()
                .map(ServiceAccount::name)
                .filter(name -> name.startsWith(ACCOUNT))
                .map(name -> name.substring(ACCOUNT.length()));
        return chart.isPresent()
                && user.podName()
                        .filter(pod -> pod.startsWith("helm-install-" + chart.get() + "-"))
                        .isPresent();
    }
}
