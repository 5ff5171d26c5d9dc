package dev.gitopsinterlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.cli.yaml.NamedKinds;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.api.Test;

/** Groups that an API server has by itself, with all that is off by default. */
class KubernetesGroupsIT {

    @Test
    void noneIsTakenForThatOfACustomResource() {
        try (var kubernetes =
                ControlPlane.start("--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true")) {
            var groups = Trees.json(kubernetes.admin().raw("/apis")).findValuesAsText("name");

            assertThat(groups)
                    .contains("apps", "storage.k8s.io")
                    .allSatisfy(group -> assertThat(
                                    NamedKinds.ofCustomResources("apiVersion: %s/v1\nkind: Any\n".formatted(group)))
                            .as(group)
                            .isEmpty());
        }
    }
}
