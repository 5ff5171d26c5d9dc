package dev.gitopsinterlock.cli;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.Appliers.Stated;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.testing.run.Git;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.tool.AppliedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Job that says nothing of its tool, in a repository that does. */
class AppliersTest {

    private static final Path CASE = Project.directory().resolve("src/test/resources/check/unknown-tool");
    private static final String JOB = "apps/shop/prod/job.yaml";
    private static final String ARGO =
            "{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: %s}, syncPolicy: {syncOptions: [%s]}}}";

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
            root/shop.yaml       | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps/shop}}} | argocd ArgoCdJobEdit
            root/all.yaml        | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: .}}} | argocd ArgoCdJobEdit
            root/several.yaml    | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {sources: [{chart: a}, {path: ./apps/}]}} | argocd ArgoCdJobEdit
            root/options.yaml    | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps}, syncPolicy: {syncOptions: [ServerSideApply=true]}}} | argocd ArgoCdServerSideApplyJobEdit
            root/set.yaml        | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*/prod'}]}}], template: {spec: {source: {path: '{{.path.path}}'}}}}} | argocd ArgoCdJobEdit
            root/matrix.yaml     | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{matrix: {generators: [{git: {directories: [{path: 'apps/*'}]}}]}}]}} | argocd ArgoCdJobEdit
            root/excluded.yaml   | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*', exclude: true}]}}]}} | unknown JobEdit
            root/but.yaml        | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps/sh*', exclude: true}]}}]}} | unknown JobEdit
            root/another.yaml    | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}]}}, {git: {directories: [{path: 'infra/*'}, {path: 'apps/*', exclude: true}]}}]}} | argocd ArgoCdJobEdit
            root/its-own.yaml    | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {template: {spec: {source: {path: apps/shop}}}, generators: [{git: {directories: [{path: 'apps/*', exclude: true}]}}]}} | argocd ArgoCdJobEdit
            root/below.yaml      | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps/shop/prod', exclude: true}]}}]}} | argocd ArgoCdJobEdit
            root/letter.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/sh?p'}]}}]}} | argocd ArgoCdJobEdit
            root/ranges.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/[a-cr-t]hop'}]}}]}} | argocd ArgoCdJobEdit
            root/not.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/[^s]hop'}]}}]}} | unknown JobEdit
            root/escape.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/s\\hop'}]}}]}} | argocd ArgoCdJobEdit
            root/no-letter.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps/sh?p', exclude: true}]}}]}} | unknown JobEdit
            root/no-range.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps/[a-s]hop', exclude: true}]}}]}} | unknown JobEdit
            root/class-slash.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps[/]shop'}]}}]}} | argocd ArgoCdJobEdit
            root/no-class-slash.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps[^a]shop', exclude: true}]}}]}} | unknown JobEdit
            root/not-negated.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps[!a]shop'}]}}]}} | unknown JobEdit
            root/wrong.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps/*[', exclude: true}]}}]}} | argocd ArgoCdJobEdit
            root/dot.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: './apps/*'}]}}]}} | unknown JobEdit
            root/slash.yaml | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}, {path: 'apps/shop/', exclude: true}]}}]}} | argocd ArgoCdJobEdit
            root/literal.yaml | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: 'apps/sho[p]'}}} | unknown JobEdit
            root/elsewhere.yaml  | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps/sho}}} | unknown JobEdit
            root/other.yaml      | {apiVersion: app.k8s.io/v1, kind: Application, spec: {source: {path: apps/shop}}} | unknown JobEdit
            root/odd.yaml        | {apiVersion: argoproj.io/v1alpha1, "kin\\u0064": Application, spec: {source: {path: apps/shop}}} | argocd ArgoCdJobEdit
            clusters/shop.yaml   | {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: ./apps/shop}} | flux-kustomization FluxKustomizationJobEdit
            clusters/all.yaml    | {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {interval: 1m}} | flux-kustomization FluxKustomizationJobEdit
            clusters/force.yaml  | {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: ./apps/shop, force: true}} |
            clusters/chart.yaml  | {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: ./apps/shop}}}} | flux-helmrelease FluxHelmReleaseJobEdit
            clusters/other.yaml  | {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {force: true, targetNamespace: other}} | flux-kustomization FluxKustomizationJobEdit
            clusters/oci.yaml    | {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: apps, force: true, sourceRef: {kind: OCIRepository}}} | unknown JobEdit
            clusters/two.yaml    | {kind: List, items: [{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: apps, force: true}}, {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: apps}}]} | flux-kustomization FluxKustomizationJobEdit
            apps/fleet.yaml      | {namespace: shop} | fleet FleetJobEdit
            root/gitrepo.yaml    | {apiVersion: fleet.cattle.io/v1alpha1, kind: GitRepo, spec: {paths: [apps/shop]}} | fleet FleetJobEdit
            """)
    void theRepositorySaysWhatAppliesIt(String file, String text, String found) throws IOException {
        write(file, text);
        for (var place : List.of("old", "new")) {
            write(place + "/" + file, text);
        }

        assertThat(found(change("--git", "HEAD~1..HEAD"))).isEqualTo(found == null ? "" : found);
        assertThat(found(change("--git", "HEAD~1"))).isEqualTo(found == null ? "" : found);
        assertThat(found(change("old", "new"))).isEqualTo(found == null ? "" : found);
    }

    /** Which a chart's own values are not all of. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            apps/shop | argo.yaml       | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps/shop, helm: {valueFiles: [a.yaml]}}}} | argo.yaml
            apps/shop | sources.yaml    | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {sources: [{path: apps/shop, helm: {parameters: [{name: a}]}}]}} | sources.yaml
            ''        | root.yaml       | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: ., helm: {valuesObject: {a: b}}}}} | root.yaml
            apps/shop | other.yaml      | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: ., helm: {valuesObject: {a: b}}}}} | ''
            apps/shop | name.yaml       | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps/shop, helm: {releaseName: a}}}} | ''
            apps/shop | set.yaml        | {apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: 'apps/*'}]}}], template: {spec: {source: {path: '{{path}}', helm: {values: 'a: b'}}}}}} | set.yaml
            apps/shop | flux.yaml       | {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: ./apps/shop}}, values: {a: b}}} | flux.yaml
            apps/shop | files.yaml      | {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: ./apps/shop, valuesFiles: [a.yaml]}}}} | files.yaml
            apps/shop | none.yaml       | {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: ./apps/shop}}}} | ''
            apps/shop | apps/fleet.yaml | {helm: {values: {a: b}}} | apps/fleet.yaml
            """)
    void theRepositorySaysWhichChartsGetOtherValues(String chart, String file, String text, String found) {
        var stated = Manifests.all(text).stream()
                .map(object -> new Stated(file, object))
                .toList();

        assertThat(String.join(", ", Appliers.valuesOf(chart, stated))).isEqualTo(found);
    }

    /** Anybody may have written them into a pull request. */
    @ParameterizedTest
    @ValueSource(strings = {"*a*a*a*a*a*a*a*a*a*a*b", "a////////b", "./././.", "*?*[a-b]*[", "[a-ab-bc-c"})
    @Timeout(20)
    void noPathTakesLong(String path) {
        var folder = AppliedFolder.of(path.repeat(10_000));

        assertThat(folder.holds(List.of("a".repeat(200), "job.yaml")))
                .isEqualTo(folder.path().isEmpty());
    }

    @Test
    @Timeout(20)
    void noFolderOfAGeneratorTakesLong() throws IOException {
        write(
                "root/all.yaml",
                "{apiVersion: argoproj.io/v1alpha1, kind: ApplicationSet, spec: {generators: [{git: {directories: [{path: \"%s\\n\"}]}}]}}"
                        .formatted("/".repeat(400_000)));

        assertThat(found(change("--git", "HEAD~1..HEAD"))).isEqualTo("unknown JobEdit");
    }

    @Test
    void aPatternHoldsNoHiddenFolder() {
        assertThat(AppliedFolder.of("*/shop").holds(List.of(".apps", "shop", "job.yaml")))
                .isFalse();
        assertThat(AppliedFolder.of(".apps/shop").holds(List.of(".apps", "shop", "job.yaml")))
                .isTrue();
    }

    @Test
    void theNearestFolderCounts() throws IOException {
        write("root/all.yaml", ARGO.formatted("", ""));
        write(
                "clusters/shop.yaml",
                "{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: apps/shop}}");

        assertThat(found(change("--git", "HEAD~1..HEAD"))).startsWith("flux-kustomization");
    }

    @Test
    void whatIsNamedGoesBefore() throws IOException {
        write("root/all.yaml", ARGO.formatted("apps", "Replace=true"));

        assertThat(found(change("--git", "HEAD~1..HEAD"))).isEqualTo("argocd ArgoCdReplaceWithoutForce");
        assertThat(found(change("--git", "HEAD~1..HEAD", "--tool", "helm"))).isEqualTo("helm HelmJobEdit");
        assertThat(found(change("--git", "HEAD~1..HEAD", "--sync-options", "ServerSideApply=true")))
                .isEqualTo("argocd ArgoCdServerSideApplyJobEdit");
    }

    /** So that commands to copy have it. */
    @Test
    void theNamespaceIsTheApplications() throws IOException {
        write(
                "root/shop.yaml",
                "{apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps}, destination: {namespace: here}}}");

        assertThat(change("--git", "HEAD~1..HEAD").out()).contains("\"namespace\" : \"here\"");
    }

    /** Written down, it is the one that the tool gives; any other makes another object. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            root/shop.yaml      | {apiVersion: argoproj.io/v1alpha1, kind: Application, spec: {source: {path: apps}, destination: {namespace: %s}}}
            clusters/shop.yaml  | {apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {path: apps, targetNamespace: %s}}
            clusters/chart.yaml | {apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, spec: {chart: {spec: {chart: ./apps}}, targetNamespace: %s}}
            apps/fleet.yaml     | {namespace: %s}
            """)
    void theNamespaceOfAToolMayBeWrittenDown(String file, String text) throws IOException {
        write("old/" + JOB, Files.readString(CASE.resolve("base.yaml")).replaceFirst("  namespace: .*\n", ""));
        write("new/" + JOB, Files.readString(CASE.resolve("target.yaml")));
        for (var namespace : List.of("shop", "other")) {
            write("new/" + file, text.formatted(namespace));
            var found = found(Run.in(directory, "check", "-o", "json", "old", "new"));

            assertThat(found.isEmpty()).as(namespace).isEqualTo(namespace.equals("other"));
        }
    }

    /** A commit that changes the Job, without a Namespace, checked as JSON. */
    private Run change(String... arguments) throws IOException {
        for (var side : Map.of("base.yaml", "old/", "target.yaml", "new/").entrySet()) {
            var job = Files.readString(CASE.resolve(side.getKey())).replaceFirst("  namespace: .*\n", "");
            write(side.getValue() + JOB, job);
            write(JOB, job);
            if (side.getKey().equals("base.yaml")) {
                commit();
            }
        }
        write(JOB, Files.readString(directory.resolve("old/" + JOB)));
        commit();
        write(JOB, Files.readString(directory.resolve("new/" + JOB)));
        commit();
        var all = new ArrayList<>(List.of("check", "-o", "json"));
        all.addAll(List.of(arguments));
        if (all.contains("--git")) {
            all.addAll(List.of("--", JOB));
        }
        return Run.in(directory, all.toArray(String[]::new));
    }

    private static String found(Run run) throws JsonProcessingException {
        return new ObjectMapper()
                .readTree(run.out())
                .path("findings")
                .valueStream()
                .map(finding -> finding.path("tool").asText() + " "
                        + finding.path("code").asText())
                .collect(joining(", "));
    }

    private void commit() {
        Git.run(directory, "init", "-q");
        Git.run(directory, "add", ".");
        Git.run(directory, "commit", "-q", "--allow-empty", "-m", "A");
    }

    private void write(String file, String text) throws IOException {
        var path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
