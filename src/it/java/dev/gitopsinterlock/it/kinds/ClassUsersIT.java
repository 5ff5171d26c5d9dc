package dev.gitopsinterlock.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Command;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the pages say of whoever uses a class that was deleted to be made anew, on the real API server. */
@ExtendWith(Cluster.Extension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClassUsersIT {

    private static final String NAMESPACE = "class-users";

    private final ControlPlane kubernetes;

    ClassUsersIT(Cluster cluster) {
        kubernetes = cluster.controlPlane();
    }

    @BeforeAll
    void makeNamespace() {
        kubernetes.createNamespace(NAMESPACE);
    }

    @ParameterizedTest
    @CsvSource({
        "priorityClassName, no PriorityClass with name gone was found",
        "runtimeClassName, 'RuntimeClass \"gone\" not found'"
    })
    void podsOfAClassThatIsGoneAreRefused(String field, String words) {
        var pod = kubernetes.file("""
                apiVersion: v1
                kind: Pod
                metadata: {name: new}
                spec: {%s: gone, containers: [{name: main, image: "registry.example/app:1"}]}
                """.formatted(field));

        assertThat(kubectl("create", "-f", pod, "--dry-run=server").err()).contains(words);
    }

    @Test
    void claimsOfAClassThatIsGoneCannotGrow() {
        kubernetes.kubectl("create", "-f", kubernetes.file("""
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata: {name: class-users}
                provisioner: csi.example.com
                allowVolumeExpansion: true
                """)).orFail();
        var claim = kubernetes.file("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data}
                spec:
                  accessModes: [ReadWriteOnce]
                  storageClassName: class-users
                  resources: {requests: {storage: 1Gi}}
                  volumeName: pv-1
                status: {phase: Bound, capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce]}
                """);
        kubectl("apply", "-f", claim).orFail();
        kubectl("apply", "--server-side", "--force-conflicts", "--subresource=status", "-f", claim)
                .orFail();
        var grow = new String[] {
            "patch",
            "pvc",
            "data",
            "--dry-run=server",
            "-p",
            "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2Gi\"}}}}"
        };

        assertThat(kubectl(grow).exitCode()).isZero();
        kubernetes.kubectl("delete", "storageclass", "class-users").orFail();

        await("the class gone for the API server's own check, too")
                .untilAsserted(() -> assertThat(kubectl(grow).err())
                        .contains("the storageclass that provisions the pvc must support resize"));
    }

    /** A class that stays in deletion cannot be made anew by applying it. */
    @Test
    void attributesClassInUseStaysInDeletion() {
        var attributes = kubernetes.file("""
                apiVersion: storage.k8s.io/v1
                kind: VolumeAttributesClass
                metadata: {name: class-users}
                driverName: csi.example.com
                parameters: {iops: "100"}
                """);
        kubernetes.kubectl("create", "-f", attributes).orFail();
        kubectl("create", "-f", kubernetes.file("""
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: tuned}
                spec:
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
                  volumeAttributesClassName: class-users
                """)).orFail();
        await("protected")
                .untilAsserted(() ->
                        assertThat(attributesClass(".metadata.finalizers")).contains("kubernetes.io/vac-protection"));

        kubernetes
                .kubectl("delete", "volumeattributesclass", "class-users", "--wait=false")
                .orFail();
        kubernetes.kubectl("apply", "-f", attributes).orFail();

        assertThat(attributesClass(".metadata.deletionTimestamp")).isNotEmpty();
        kubernetes
                .kubectl(
                        "patch", "volumeattributesclass", "class-users", "-p", "{\"metadata\": {\"finalizers\": null}}")
                .orFail();
    }

    private String attributesClass(String path) {
        return kubernetes
                .kubectl("get", "volumeattributesclass", "class-users", "-o", "jsonpath={%s}".formatted(path))
                .orFail()
                .out();
    }

    private Command.Result kubectl(String... arguments) {
        var all = new ArrayList<>(List.of("-n", NAMESPACE));
        all.addAll(List.of(arguments));
        return kubernetes.kubectl(all.toArray(String[]::new));
    }
}
