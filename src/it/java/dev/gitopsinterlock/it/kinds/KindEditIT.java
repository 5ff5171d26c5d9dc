package dev.gitopsinterlock.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.edit.GuardedKind;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.client.RecreatingClients;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.KindSamples;
import dev.gitopsinterlock.testing.cluster.KindSamples.Sample;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Edits of the kinds beside Job, on the real API server: what people are told. */
@ExtendWith(Cluster.Extension.class)
class KindEditIT {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private final ControlPlane kubernetes;
    private final String namespace = "kinds-" + NAMESPACES.incrementAndGet();

    KindEditIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
    }

    @BeforeEach
    void makeNamespace() {
        kubernetes.createNamespace(namespace);
    }

    static List<Sample> refusedSamples() {
        return GuardedKinds.BESIDE_JOB.stream()
                .flatMap(kind -> KindSamples.of(kind).stream())
                .filter(sample -> sample.refused().isPresent())
                .toList();
    }

    /** Both are asked: the same edit by an account that the API server does not ask us about. */
    @ParameterizedTest
    @MethodSource("refusedSamples")
    void refusedEditGetsOurWords(Sample sample) {
        KindSamples.make(kubernetes, namespace, sample);
        var patch = List.of(
                "patch",
                sample.kind().plural() + "." + sample.kind().type().version() + "."
                        + sample.kind().group(),
                sample.name(),
                "--type=json",
                "--dry-run=server",
                "-p",
                sample.refused().orElseThrow());

        var withUs = kubernetes.kubectl(inNamespace(patch));
        var withoutUs = kubernetes.kubectl(
                inNamespace(patch, "--as=system:serviceaccount:kube-system:person", "--as-group=system:masters"));

        assertThat(withoutUs.exitCode()).as(withoutUs.err()).isNotZero();
        assertThat(withoutUs.err()).doesNotContain("gitops-interlock", "Edit");
        assertThat(withUs.exitCode()).isNotZero();
        assertThat(withUs.err())
                .contains("The %s \"%s\" is invalid: ".formatted(sample.kind().name(), sample.name()))
                .doesNotContain("aHVudGVy");
        assertThat(RecreatingClients.toldBy(withUs.err())).isEqualTo(RecreatingClients.toldBy(withoutUs.err()));
    }

    /** One made for an older version is a conflict, whatever else it is: who made it reads again and tries again. */
    @ParameterizedTest
    @MethodSource("refusedSamples")
    void staleEditGetsAConflict(Sample sample) {
        KindSamples.make(kubernetes, namespace, sample);
        var stale = sample.refused()
                .orElseThrow()
                .replaceFirst(
                        "\\[", "[{\"op\": \"replace\", \"path\": \"/metadata/resourceVersion\", \"value\": \"1\"}, ");
        var type = sample.kind().plural() + "." + sample.kind().type().version() + "."
                + sample.kind().group();

        var answer = kubernetes.kubectl(
                inNamespace(List.of("patch", type, sample.name(), "--type=json", "--dry-run=server", "-p", stale)));

        assertThat(answer.err()).contains("the object has been modified");
    }

    @ParameterizedTest
    @ValueSource(strings = {"object", "namespace"})
    void ignoredObjectsGetTheServersOwnWords(String where) {
        var sample = KindSamples.of(kind("StatefulSet")).getFirst();
        KindSamples.make(kubernetes, namespace, sample);
        var annotation = "gitops-interlock.dev/on-immutable-change=Ignore";
        var annotated = where.equals("object")
                ? kubernetes.kubectl("-n", namespace, "annotate", "statefulset", sample.name(), annotation)
                : kubernetes.kubectl("annotate", "namespace", namespace, annotation);
        annotated.orFail();

        await("the annotation in effect")
                .untilAsserted(() -> assertThat(kubernetes
                                .kubectl(
                                        "-n",
                                        namespace,
                                        "patch",
                                        "statefulset",
                                        sample.name(),
                                        "--type=json",
                                        "-p",
                                        sample.refused().orElseThrow())
                                .err())
                        .doesNotContain("StatefulSetEdit")
                        .contains("The StatefulSet \"plain\" is invalid"));
    }

    private String[] inNamespace(List<String> arguments, String... more) {
        return Stream.of(List.of("-n", namespace), arguments, List.of(more))
                .flatMap(List::stream)
                .toArray(String[]::new);
    }

    private static GuardedKind kind(String name) {
        return GuardedKinds.BESIDE_JOB.stream()
                .filter(kind -> kind.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
