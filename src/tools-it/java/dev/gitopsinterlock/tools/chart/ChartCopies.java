package dev.gitopsinterlock.tools.chart;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.testing.text.Project;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Files with parts of what the chart renders, for those who do not use Helm: the plain install, and the test bed, where
 * the service has an address of its own in place of a Service.
 */
final class ChartCopies {

    private static final String TOKEN = "w0rd".repeat(5);

    private static final List<String> REPLACING =
            List.of("replacement.enabled=true", "replacement.statefulSets=true", "callerToken=" + TOKEN);

    private static final List<String> RIGHTS = List.of("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding");

    private static final List<String> WEBHOOKS =
            List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

    private ChartCopies() {}

    /** A file, and what is to be in it. */
    record Copy(String name, String text) {

        Path file() {
            return Project.directory().resolve(name);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Copy> all() {
        var defaults = "what the chart renders by default";
        return Stream.of(
                copy("deploy/poddisruptionbudget.yaml", defaults, Rendering.of(), List.of("PodDisruptionBudget")),
                copy("deploy/rbac.yaml", defaults, Rendering.of(), RIGHTS),
                copy("deploy/registrations.yaml", defaults, Rendering.of(), WEBHOOKS),
                copy(
                        "testbed/registrations.yaml",
                        "the webhook configurations with all kinds, makers of restarts and CronJobs, of which all edits are carried out that can be, and with ${URL}, ${TOKEN} and ${CA_BUNDLE} to be filled in",
                        Rendering.of(withEveryKind()),
                        WEBHOOKS,
                        ChartCopies::withAnAddress),
                copy("testbed/rbac.yaml", "the account's rights by default", Rendering.of(), RIGHTS),
                copy(
                        "testbed/rbac-requester.yaml",
                        "the account's rights where edits are carried out in the requester's name (from 1.36 on)",
                        Rendering.of(REPLACING.toArray(String[]::new)),
                        RIGHTS),
                copy(
                        "testbed/rbac-service-account.yaml",
                        "the account's rights where edits are carried out in its own name (before 1.36)",
                        Rendering.of(Stream.concat(REPLACING.stream(), Stream.of("--kube-version=1.35.4"))
                                .toArray(String[]::new)),
                        RIGHTS));
    }

    private static String[] withEveryKind() {
        return Stream.of(
                        REPLACING.stream(),
                        Stream.of("jobs.holdRestartsOfCronJobs=true"),
                        Arrays.stream(KnownMaker.values()).map(maker -> maker.feature() + ".enabled=true"),
                        GuardedKinds.BESIDE_JOB.stream().map(kind -> "kinds." + kind.name() + "=true"))
                .flatMap(Function.identity())
                .toArray(String[]::new);
    }

    private static Copy copy(String name, String what, Rendering rendering, List<String> kinds) {
        return copy(name, what, rendering, kinds, UnaryOperator.identity());
    }

    private static Copy copy(
            String name, String what, Rendering rendering, List<String> kinds, UnaryOperator<String> change) {
        return new Copy(
                name,
                rendering.documents().stream()
                        .filter(document ->
                                kinds.stream().anyMatch(kind -> document.contains("\nkind: " + kind + "\n")))
                        .map(Rendering::withoutHelm)
                        .map(ChartCopies::withoutInjection)
                        .map(change)
                        .collect(joining(
                                "---\n", "# Made by `make manifests` from the chart: %s.\n".formatted(what), "")));
    }

    /** certs/ brings the annotation; the test bed has certificates of its own. */
    private static String withoutInjection(String document) {
        return document.replaceFirst(" {2}annotations:\\n {4}cert-manager\\.io/inject-ca-from: .*\\n", "");
    }

    private static String withAnAddress(String document) {
        return document.replaceAll(
                        "( +)clientConfig:\\n +service:\\n(?: +(?:namespace|name): .*\\n)+ +path: (.*)\\n +port: 443\\n",
                        "$1clientConfig:\n$1  url: \\${URL}$2\n$1  caBundle: \\${CA_BUNDLE}\n")
                .replace(TOKEN, "${TOKEN}");
    }
}
