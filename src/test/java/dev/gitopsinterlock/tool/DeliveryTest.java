package dev.gitopsinterlock.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a manifest's marks say of the tool that it is on its way to, and of what that tool does with a Job that changed. */
class DeliveryTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            'annotations': {'argocd.argoproj.io/sync-options': 'Prune=false'}          | ARGO_CD            | EDITED
            'annotations': {'argocd.argoproj.io/sync-options': 'Force=true'}           | ARGO_CD            | NOT_EDITED
            'annotations': {'argocd.argoproj.io/sync-options': 'Replace=true'}         | ARGO_CD            | PUT
            'annotations': {'argocd.argoproj.io/hook': 'PreSync'}                      | ARGO_CD            | NOT_EDITED
            'annotations': {'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded'} | ARGO_CD | EDITED_IF_LEFT_OVER
            'annotations': {'argocd.argoproj.io/hook': 'Skip'}                         | ARGO_CD            | NOT_EDITED
            'labels': {'kustomize.toolkit.fluxcd.io/name': 'shop'}                     | FLUX_KUSTOMIZATION | EDITED
            'annotations': {'kustomize.toolkit.fluxcd.io/force': 'Enabled'}            | FLUX_KUSTOMIZATION | NOT_EDITED
            'labels': {'kustomize.toolkit.fluxcd.io/ssa': 'ifnotpresent'}              | FLUX_KUSTOMIZATION | NOT_EDITED
            'labels': {'helm.toolkit.fluxcd.io/name': 'shop'}                          | FLUX_HELM_RELEASE  | EDITED
            'labels': {'helm.toolkit.fluxcd.io/name': 'shop'}, 'annotations': {'helm.sh/hook': 'pre-upgrade'} | FLUX_HELM_RELEASE | NOT_EDITED
            'labels': {'resourceset.fluxcd.controlplane.io/name': 'shop'}              | FLUX_OPERATOR      | EDITED
            'annotations': {'fluxcd.controlplane.io/force': 'enabled'}                 | FLUX_OPERATOR      | NOT_EDITED
            'annotations': {'configsync.gke.io/cluster-name-selector': 'eu'}           | CONFIG_SYNC        | EDITED
            'annotations': {'client.lifecycle.config.k8s.io/mutation': 'ignore'}       | CONFIG_SYNC        | NOT_EDITED
            'annotations': {'configmanagement.gke.io/managed': 'disabled'}             | CONFIG_SYNC        | NOT_EDITED
            'annotations': {'kluctl.io/skip-delete': 'true'}                           | KLUCTL             | EDITED
            'annotations': {'kluctl.io/delete': 'true'}                                | KLUCTL             | NOT_EDITED
            'annotations': {'kluctl.io/hook': 'post-deploy'}                           | KLUCTL             | NOT_EDITED
            'annotations': {'kluctl.io/hook': 'post-deploy', 'kluctl.io/hook-delete-policy': 'hook-succeeded'} | KLUCTL | EDITED_IF_LEFT_OVER
            'labels': {'instance.timoni.sh/name': 'shop'}                              | TIMONI             | EDITED
            'annotations': {'action.timoni.sh/force': 'enabled'}                       | TIMONI             | NOT_EDITED
            'annotations': {'action.timoni.sh/one-off': 'enabled'}                     | TIMONI             | NOT_EDITED
            'annotations': {'strategy.spinnaker.io/max-version-history': '2'}          | SPINNAKER          | EDITED
            'annotations': {'strategy.spinnaker.io/recreate': 'true'}                  | SPINNAKER          | NOT_EDITED
            'annotations': {'strategy.spinnaker.io/versioned': 'true'}                 | SPINNAKER          | NOT_EDITED
            'annotations': {'strategy.spinnaker.io/replace': 'true'}                   | SPINNAKER          | PUT
            'labels': {'app.kubernetes.io/managed-by': 'Helm'}                         | HELM               | EDITED
            'labels': {'helm.sh/chart': 'shop-1.0.0'}                                  | HELM               | EDITED
            'annotations': {'helm.sh/hook': 'pre-upgrade'}                             | HELM               | NOT_EDITED
            'labels': {'kapp.k14s.io/app': '1'}                                        | KAPP               | EDITED
            'annotations': {'kapp.k14s.io/update-strategy': 'fallback-on-replace'}     | KAPP               | NOT_EDITED
            'annotations': {'kapp.k14s.io/update-strategy': 'other'}                   | KAPP               | EDITED
            'annotations': {'kapp.k14s.io/versioned': ''}                              | KAPP               | NOT_EDITED
            'labels': {'kapp.k14s.io/app': '1'}, 'annotations': {'werf.io/weight': '1'} | KAPP                | EDITED
            'annotations': {'kapp.k14s.io/noop': ''}                                   | KAPP               | NOT_EDITED
            'annotations': {'kapp.k14s.io/exists': ''}                                 | KAPP               | NOT_EDITED
            'annotations': {'werf.io/weight': '1'}                                     | NELM               | NOT_EDITED
            'annotations': {'werf.io/delete-policy': 'succeeded'}                      | NELM               | EDITED
            'annotations': {'werf.io/delete-policy': 'before-creation-if-immutable'}   | NELM               | NOT_EDITED
            'labels': {'app': 'shop'}                                                  | UNKNOWN            | EDITED
            """)
    void itsMarksDecide(String marks, Tool tool, Treatment treatment) {
        var manifest = Trees.json("{'kind': 'Job', 'metadata': {'name': 'j', %s}}".formatted(marks));
        var live = Trees.json("{'kind': 'Job', 'metadata': {'name': 'j'}}");

        var deployer = ToolDetection.deployer(manifest);

        assertThat(deployer).isEqualTo(tool);
        assertThat(deployer.delivery().treats(manifest, live)).isEqualTo(treatment);
    }

    /** What a tool does by itself it does for some kinds. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ARGO_CD   | RoleBinding | NOT_EDITED
            ARGO_CD   | ConfigMap   | EDITED
            NELM      | Job         | NOT_EDITED
            NELM      | StatefulSet | EDITED
            PULUMI    | Deployment  | NOT_EDITED
            PULUMI    | CSIDriver   | EDITED
            SPINNAKER | ConfigMap   | NOT_EDITED
            SPINNAKER | Deployment  | EDITED
            """)
    void theKindDecides(Tool tool, String kind, Treatment treatment) {
        var object = Trees.json("{'kind': '%s', 'metadata': {'name': 'o'}}".formatted(kind));

        assertThat(tool.delivery().treats(object, object)).isEqualTo(treatment);
    }
}
