package dev.gitopsinterlock.tools.argocd;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.partitioningBy;

import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.client.ArgoCd;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.cluster.KindSamples.Sample;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One way in which an edit that Kubernetes refuses can come by Argo CD.
 *
 * @param sample the object, and the edit of it
 * @param impersonated whether the project's own account syncs
 * @param policy {@code on-immutable-change} of the Namespace
 */
record ArgoCdRow(Sample sample, Tracking tracking, Mode mode, boolean selfHeal, boolean impersonated, String policy) {

    private static final List<Boolean> EITHER = List.of(false, true);
    private static final List<String> POLICIES = List.of("Reject", "Replace", "Preview", "Warn", "Ignore");

    /** How Argo CD knows what belongs to an Application; a setting of the whole Argo CD. */
    enum Tracking {
        ANNOTATION("annotation"),
        LABEL("label"),
        BOTH("annotation+label");

        final String setting;

        Tracking(String setting) {
            this.setting = setting;
        }
    }

    /** How it applies and compares. */
    enum Mode {
        CLIENT_SIDE_APPLY("client-side apply", "", ""),
        SERVER_SIDE_APPLY("ServerSideApply=true", "ServerSideApply=true", ""),
        REPLACE("Replace=true", "Replace=true", ""),
        DIFF("client-side apply, Server-Side Diff", "", "ServerSideDiff=true"),
        SERVER_SIDE_APPLY_AND_DIFF(
                "ServerSideApply=true, Server-Side Diff", "ServerSideApply=true", "ServerSideDiff=true"),
        SERVER_SIDE_APPLY_NO_DIFF(
                "ServerSideApply=true, no Server-Side Diff", "ServerSideApply=true", "ServerSideDiff=false");

        final String words;
        private final String syncOptions;
        private final String compareOptions;

        Mode(String words, String syncOptions, String compareOptions) {
            this.words = words;
            this.syncOptions = syncOptions;
            this.compareOptions = compareOptions;
        }

        /** Argo CD then asks the API server what would come out, and forgets a refusal of that. */
        boolean comparesOnTheServer() {
            return compareOptions.equals("ServerSideDiff=true") || (this == SERVER_SIDE_APPLY && !ArgoCd.isBefore36());
        }
    }

    /** Objects of the cluster are in no Namespace that could have a policy. */
    ArgoCdRow {
        if (!sample.kind().namespaced()) {
            policy = POLICIES.getFirst();
        }
    }

    static List<ArgoCdRow> all() {
        return samples()
                .flatMap(sample -> Stream.of(Tracking.values())
                        .flatMap(tracking -> Stream.of(Mode.values())
                                .flatMap(mode -> EITHER.stream()
                                        .flatMap(heals -> EITHER.stream()
                                                .flatMap(as -> POLICIES.stream()
                                                        .map(policy -> new ArgoCdRow(
                                                                sample, tracking, mode, heals, as, policy)))))))
                .distinct()
                .toList();
    }

    /** Rows in which any two values meet, of objects in a Namespace and of others. */
    static List<ArgoCdRow> pairs() {
        var samples = samples().collect(partitioningBy(sample -> sample.kind().namespaced()));
        return Stream.concat(
                        pairs(requireNonNull(samples.get(true)), POLICIES),
                        pairs(requireNonNull(samples.get(false)), List.of(POLICIES.getFirst())))
                .toList();
    }

    private static Stream<ArgoCdRow> pairs(List<Sample> samples, List<String> policies) {
        return Pairs.covering(samples.size(), Tracking.values().length, Mode.values().length, 2, 2, policies.size())
                .stream()
                .map(row -> new ArgoCdRow(
                        samples.get(row.get(0)),
                        Tracking.values()[row.get(1)],
                        Mode.values()[row.get(2)],
                        EITHER.get(row.get(3)),
                        EITHER.get(row.get(4)),
                        policies.get(row.get(5))));
    }

    /** One of each kind. */
    private static Stream<Sample> samples() {
        var job = Trees.fromYaml(Example.of("argocd-image-change").text("manifests/job.yaml"));
        var edit =
                "[{'op': 'replace', 'path': '/spec/template/spec/containers/0/image', 'value': 'registry.example/new:1'}]";
        return Stream.concat(
                Stream.of(new Sample(JobKind.JOB, job.deepCopy(), Optional.of(edit))),
                GuardedKinds.BESIDE_JOB.stream()
                        .flatMap(kind -> KindSamples.of(kind).stream()
                                .filter(sample -> sample.refused().isPresent()
                                        && !sample.object().has("status"))
                                .limit(1)));
    }

    /** To put the content of a ConfigMap or Secret back, an answer would have to contain it. */
    boolean isForgotten() {
        return mode.comparesOnTheServer()
                && (policy.equals("Ignore")
                        || Trees.json(sample.refused().orElseThrow()).findValuesAsText("path").stream()
                                .anyMatch(path -> path.startsWith("/data")));
    }

    /** The manifest of an Application that syncs the repository to the Namespace by itself. */
    String application(String repository, String namespace) {
        return """
                apiVersion: argoproj.io/v1alpha1
                kind: Application
                metadata:
                  name: %2$s
                  annotations: {argocd.argoproj.io/compare-options: "%3$s"}
                spec:
                  project: %4$s
                  source: {repoURL: "%1$s", targetRevision: main, path: .}
                  destination: {server: "https://kubernetes.default.svc", namespace: %2$s}
                  syncPolicy: {automated: {selfHeal: %5$s}, syncOptions: [%6$s], retry: {limit: 1, backoff: {duration: 1s}}}
                """.formatted(
                        repository,
                        namespace,
                        mode.compareOptions,
                        impersonated ? "impersonated" : "default",
                        selfHeal,
                        mode.syncOptions);
    }

    /** What it is, in the order of the golden's columns. */
    List<String> cells() {
        return List.of(
                sample.kind().name(),
                mode.words,
                policy,
                tracking.setting,
                selfHeal ? "self-heal" : "",
                impersonated ? "impersonation" : "");
    }

    @Override
    public String toString() {
        return String.join(" | ", cells());
    }
}
