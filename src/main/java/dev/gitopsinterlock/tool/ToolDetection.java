package dev.gitopsinterlock.tool;

import java.util.List;
import java.util.function.BiPredicate;

/**
 * Which tool sent a request: the first row whose user or field manager fits. Both can be what the client says they
 * are, so this chooses words and nothing else.
 */
public final class ToolDetection {

    private static final List<Row> ROWS = List.of(
            new Row(
                    Tool.ARGO_CD_UI,
                    (user, writer) -> accountEndsWith(user, "argocd-server")
                            || writer.manager().equals("argocd-server")),
            new Row(
                    Tool.ARGO_CD,
                    (user, writer) -> accountEndsWith(user, "argocd-application-controller")
                            || user.serviceAccount()
                                    .filter(Requester.ARGO_CD_REMOTE::equals)
                                    .isPresent()
                            || user.podName()
                                    .filter(pod -> pod.contains("argocd-application-controller"))
                                    .isPresent()
                            || writer.manager().equals("argocd-controller")
                            // sent without a field manager (Replace=true), so the API server took the program's name
                            || writer.manager().equals("argocd-application-controller")),
            new Row(
                    Tool.FLEET,
                    (user, writer) -> isFleetAgent(user) || writer.manager().equals("fleetagent")),
            new Row(
                    Tool.FLUX_KUSTOMIZATION,
                    (user, writer) -> accountIs(user, "kustomize-controller")
                            || writer.manager().equals("kustomize-controller")),
            new Row(
                    Tool.FLUX_HELM_RELEASE,
                    (user, writer) -> accountIs(user, "helm-controller")
                            || writer.manager().equals("helm-controller")),
            new Row(Tool.HELM, (user, writer) -> writer.manager().equals("helm")),
            new Row(Tool.KAPP, (user, writer) -> isProgram(writer, "kapp")),
            new Row(Tool.OC, (user, writer) -> isProgram(writer, "oc")),
            new Row(Tool.KUBECTL, (user, writer) -> isProgram(writer, "kubectl")));

    private ToolDetection() {}

    /** Never fails: what fits no row is {@link Tool#UNKNOWN}. */
    public static Tool requester(Requester user, FieldManager writer) {
        return ROWS.stream()
                .filter(row -> row.fits().test(user, writer))
                .map(Row::tool)
                .findFirst()
                .orElse(Tool.UNKNOWN);
    }

    private static boolean accountEndsWith(Requester user, String suffix) {
        return user.serviceAccount()
                .filter(account -> account.name().endsWith(suffix))
                .isPresent();
    }

    private static boolean accountIs(Requester user, String name) {
        return user.serviceAccount()
                .filter(account -> account.name().equals(name))
                .isPresent();
    }

    private static boolean isFleetAgent(Requester user) {
        return user.serviceAccount()
                .filter(account -> account.namespace().startsWith("cattle-fleet"))
                .filter(account ->
                        account.name().equals("fleet-agent") || account.name().equals("fleet-default"))
                .isPresent();
    }

    private static boolean isProgram(FieldManager writer, String program) {
        return writer.manager().equals(program) || writer.manager().startsWith(program + "-");
    }

    private record Row(Tool tool, BiPredicate<Requester, FieldManager> fits) {}
}
