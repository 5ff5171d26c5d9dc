package dev.gitopsinterlock.tools.scenario;

/** A tool's words without what differs from run to run. */
final class Words {

    private Words() {}

    /**
     * Names of files, identifiers and times become three dots, and so does the whole Pod template that Kubernetes puts
     * into its answer, because it has other fields in each version; the test's namespace becomes {@code shop}. What a
     * watch says that Helm breaks off is left out, because it does not always say it. Of Argo CD's two ways to say that
     * all is done one is kept: which one it says depends on whether it looked at the Application again meanwhile.
     */
    static String lasting(String words, String namespace) {
        return words.replaceAll(
                        "Invalid value: \\{\\\\?\"(labels|Volumes|Spec)\\\\?\":.*?\\}: field is immutable",
                        "Invalid value: {...}: field is immutable")
                .replaceAll("\\b" + namespace + "\\b", "shop")
                .replaceAll("\"?(/[\\w.-]+)+/(manifest)?\\d+(\\.yaml)?\"?", "\"...\"")
                .replaceAll("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "...")
                .replaceAll("\\b[0-9a-f]{40,64}\\b", "...")
                .replaceAll("\\b\\w{3} \\w{3} [ \\d]\\d [\\d:]{8} \\d{4}\\b", "...")
                .replaceAll("(?m)^I\\d{4} .* reflector\\.go:\\d+] \"Warning: watch ended with error\".*$\\n?", "")
                .replaceAll("\\b[IWE]\\d{4} [\\d:.]+ +\\d+ (?=\\w+\\.go:)", "... ")
                .replace("spec.template.metadata.labels[testbed.gitops-interlock.dev/outcome], ", "")
                .replaceAll("\\d{4}-\\d\\d-\\d\\d[T ][\\d:.]+( ?[+-]\\d{4} UTC|Z)?", "...")
                .replaceAll("[\\w./-]*/(LIVE|MERGED)-\\d+", "$1")
                .replaceAll("\\b\\d\\d:\\d\\d UTC", "...")
                .replace("successfully synced (no more tasks)", "successfully synced (all tasks run)")
                .strip();
    }
}
