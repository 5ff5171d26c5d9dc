package dev.gitopsinterlock.tool;

/** The tools that are told apart, as requester of a change or as owner of an object. */
public enum Tool {
    ARGO_CD("argocd"),
    /** A person working through Argo CD's user interface or API server. */
    ARGO_CD_UI("argocd-ui"),
    FLUX_KUSTOMIZATION("flux-kustomization"),
    FLUX_HELM_RELEASE("flux-helmrelease"),
    FLEET("fleet"),
    HELM("helm"),
    KAPP("kapp"),
    KUBECTL("kubectl"),
    OC("oc"),
    UNKNOWN("unknown");

    private final String label;

    Tool(String label) {
        this.label = label;
    }

    /** The stable name in metrics and logs. */
    public String label() {
        return label;
    }

    /** Whether this is a controller that brings a cluster to what Git says: what it applies, it owns. */
    public boolean reconciles() {
        return switch (this) {
            case ARGO_CD, FLUX_KUSTOMIZATION, FLUX_HELM_RELEASE, FLEET -> true;
            case ARGO_CD_UI, HELM, KAPP, KUBECTL, OC, UNKNOWN -> false;
        };
    }

    /** Whether an object of its own that is gone comes back, at once or with the next release. */
    public boolean bringsBack() {
        return reconciles() || this == HELM || this == KAPP;
    }
}
