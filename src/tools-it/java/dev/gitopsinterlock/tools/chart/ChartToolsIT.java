package dev.gitopsinterlock.tools.chart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonPointer;
import dev.gitopsinterlock.build.chart.ChartFiles;
import dev.gitopsinterlock.build.chart.ValuesComments;
import dev.gitopsinterlock.config.InterlockConfig;
import dev.gitopsinterlock.testing.client.Helm;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.GoldenFiles;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import io.quarkus.runtime.configuration.DurationConverter;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the chart renders and refuses, by the real Helms, without a cluster. With {@code -Dgolden.update=true} it writes
 * the golden text of the defaults anew; read the difference before committing it.
 */
class ChartToolsIT {

    private static final String WORD = "w0rd".repeat(5);

    static Stream<Choice> choices() {
        return Choice.all();
    }

    @Test
    void defaultsAreTheGolden() {
        var golden = Project.directory().resolve("src/test/resources/chart/default.yaml");
        var rendered =
                String.join("\n---\n", Rendering.whole(Helm.HELM_4, List.of()).documents()) + "\n";

        GoldenFiles.compare(golden, rendered, "make chart GOLDEN=true");
    }

    @ParameterizedTest
    @EnumSource
    void aPackageHasNothingButWhatIsReadOfIt(Helm helm, @TempDir Path folder) {
        var said = helm.pack(ChartFiles.FOLDER, folder).orFail().out();
        var archive = said.substring(said.lastIndexOf(' ') + 1).strip();
        var files =
                Command.run(Map.of(), List.of("tar", "-tzf", archive)).orFail().out();

        assertThat(files.lines())
                .filteredOn(file -> !file.startsWith("gitops-interlock/templates/"))
                .containsExactlyInAnyOrder(
                        "gitops-interlock/Chart.yaml",
                        "gitops-interlock/README.md",
                        "gitops-interlock/dashboards/gitops-interlock.json",
                        "gitops-interlock/restart-makers.yaml",
                        "gitops-interlock/rights.json",
                        "gitops-interlock/values.schema.json",
                        "gitops-interlock/values.yaml");
    }

    /**
     * What Red Hat's chart-verifier mandates and needs no cluster; the verifier itself is a Go module that cannot be
     * had here. Helm's lint is strict, and looks at the schema as well.
     */
    @ParameterizedTest
    @EnumSource
    void hasWhatRedHatMandates(Helm helm) throws IOException {
        var chart = Trees.fromYaml(ChartFiles.text("Chart.yaml"));
        try (var files = Files.walk(ChartFiles.FOLDER)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> ChartFiles.FOLDER.relativize(file).toString()))
                    .as("has-readme, contains-values, contains-values-schema, contains-test, not-contains-crds")
                    .contains("README.md", "values.yaml", "values.schema.json")
                    .anyMatch(file -> file.matches("templates/tests/.+\\.yaml"))
                    .noneMatch(file -> file.startsWith("crds/"));
        }
        assertThat(chart.path("kubeVersion").asText()).as("has-kubeversion").isNotEmpty();
        assertThat(chart.at("/annotations/charts.openshift.io~1name").asText())
                .as("required-annotations-present")
                .isNotEmpty();
        assertThat(Rendering.whole(helm, List.of()).objects())
                .extracting(object -> object.path("kind").asText())
                .as("not-contains-crds, not-contain-csi-objects")
                .doesNotContain("CustomResourceDefinition", "CSIDriver");
        assertThat(helm.lint(ChartFiles.FOLDER, Rendering.flags(List.of()))
                        .orFail()
                        .text())
                .as("helm-lint")
                .contains("0 chart(s) failed");
    }

    /** On the Node's network the new Pod needs the ports of the old one, unless another Node is free. */
    @ParameterizedTest
    @CsvSource({"hostNetwork=false, 0, 1", "hostNetwork=true, 1, 0"})
    void aRolloutNeedsNoPortTwice(String network, int unavailable, int surge) {
        assertThat(Rendering.of(network, "ports.webhook=10260")
                        .object("Deployment")
                        .at("/spec/strategy/rollingUpdate")
                        .toString())
                .isEqualTo("{\"maxSurge\":%d,\"maxUnavailable\":%d}".formatted(surge, unavailable));
    }

    /** In Namespaces that the webhook leaves alone nobody would answer. */
    @Test
    void theTestHasARoleForItsJobWhereJobsAreNotLeftAlone() {
        var rendered = Rendering.whole(Helm.HELM_4, List.of("test.namespace=canary", "test.afterInstall=true"));
        var hooks = rendered.objects().stream()
                .filter(object -> object.at("/metadata/annotations").has("helm.sh/hook"))
                .toList();

        assertThat(hooks)
                .extracting(
                        hook -> hook.path("kind").asText(),
                        hook -> hook.at("/metadata/namespace").asText())
                .containsExactlyInAnyOrder(
                        tuple("ServiceAccount", "gitops-interlock"),
                        tuple("Role", "canary"),
                        tuple("RoleBinding", "canary"),
                        tuple("Pod", "gitops-interlock"),
                        tuple("Job", "gitops-interlock"));
        assertThat(hooks)
                .filteredOn(
                        hook -> List.of("Pod", "Job").contains(hook.path("kind").asText()))
                .allSatisfy(hook -> assertThat(hook.findValue("args").toString())
                        .isEqualTo("[\"doctor\",\"--only\",\"canary\",\"--canary-namespace\",\"canary\"]"));
    }

    @ParameterizedTest
    @MethodSource("choices")
    void everyRenderingIsTheSameByBothHelms(Choice choice) {
        assertThat(Rendering.whole(Helm.HELM_3, choice.values()).documents())
                .isEqualTo(Rendering.whole(Helm.HELM_4, choice.values()).documents());
    }

    @ParameterizedTest
    @MethodSource("choices")
    void theAccountReadsNoSecretsAndHasNoWildcards(Choice choice) {
        var rules = Rendering.whole(Helm.HELM_4, choice.values()).rules();

        assertThat(rules.toString()).doesNotContain("secrets");
        assertThat(rules).allSatisfy(rule -> {
            // every key of userextras has a resource of its own
            if (!rule.path("verbs").toString().equals("[\"impersonate:user-info\"]")) {
                assertThat(rule.path("resources").toString()).doesNotContain("*");
            }
            assertThat(rule.path("verbs").toString()).doesNotContain("*", "\"impersonate\"");
            assertThat(rule.path("apiGroups").toString()).doesNotContain("*");
        });
    }

    /** The default install may do nothing to any Job. */
    @ParameterizedTest
    @MethodSource("choices")
    void rightsOverJobsAreThereWhereEditsTakeEffectAndNowhereElse(Choice choice) {
        var jobs = Rendering.whole(Helm.HELM_4, choice.values()).rules().stream()
                .filter(rule -> rule.path("resources").toString().contains("\"jobs\""))
                .toList();

        assertThat(jobs.isEmpty()).isNotEqualTo(choice.values().contains("replacement.enabled=true"));
    }

    /** Each named Namespace gets its own; nothing over Jobs is left for the others. */
    @Test
    void namedNamespacesGetRoleBindingsInPlaceOfTheClusterRoleBinding() {
        var rendered =
                Rendering.of("replacement.enabled=true", "replacement.namespaces={shop,blog}", "callerToken=" + WORD);

        assertThat(rendered.objects("RoleBinding"))
                .extracting(
                        binding -> binding.at("/metadata/namespace").asText(),
                        binding -> binding.at("/roleRef/name").asText())
                .containsExactlyInAnyOrder(
                        tuple("shop", "gitops-interlock-replacement"),
                        tuple("blog", "gitops-interlock-replacement"),
                        tuple("gitops-interlock", "gitops-interlock-intents"));
        assertThat(rendered.objects("ClusterRoleBinding"))
                .extracting(binding -> binding.at("/roleRef/name").asText())
                .containsExactlyInAnyOrder("gitops-interlock", "gitops-interlock-impersonate");
        assertThat(settings(rendered)).containsEntry("GITOPS_INTERLOCK_REPLACEMENT_NAMESPACES", "shop,blog");
    }

    static Stream<Arguments> whatEachFeatureTakes() {
        var gate = List.of("applications", "machineconfigpools", "clusterversions", "machineconfigs");
        return Stream.of(
                arguments(List.of("machineConfigs.enabled=false"), gate, List.of("node-gate", "machineconfig-advice")),
                arguments(List.of("machineConfigs.advice.enabled=false"), List.of(), List.of("machineconfig-advice")),
                arguments(
                        List.of("jobs.enabled=false"),
                        List.of("jobs", "subjectaccessreviews"),
                        List.of("jobs", "job-advice")),
                arguments(List.of("jobs.advice.enabled=false"), List.of(), List.of("job-advice")),
                arguments(List.of("replacement.enabled=false"), List.of("jobs", "subjectaccessreviews"), List.of()),
                arguments(
                        List.of("jobs.allowOverrides=false", "replacement.enabled=false"),
                        List.of("jobs", "subjectaccessreviews"),
                        List.of()),
                arguments(
                        List.of("jobs.allowOverrides=false", "jobs.onImmutableChange=GenerateName"),
                        List.of(),
                        List.of()),
                arguments(
                        List.of(
                                "jobs.allowOverrides=false",
                                "replacement.enabled=false",
                                "jobs.advice.enabled=false",
                                "machineConfigs.enabled=false",
                                "events.refusedEdits=false"),
                        List.of(
                                "jobs",
                                "subjectaccessreviews",
                                "applications",
                                "machineconfigpools",
                                "clusterversions",
                                "machineconfigs",
                                "events"),
                        List.of("job-advice", "node-gate", "machineconfig-advice")));
    }

    @ParameterizedTest
    @MethodSource("whatEachFeatureTakes")
    void aFeatureThatIsOffTakesItsRightsAndItsWebhooksAway(
            List<String> values, List<String> resources, List<String> webhooks) {
        var on = List.of("replacement.enabled=true", "replacement.as=ServiceAccount", "callerToken=" + WORD);
        var all = Rendering.by(Helm.HELM_4, on);
        var rendered = Rendering.by(
                Helm.HELM_4, Stream.concat(on.stream(), values.stream()).toList());

        assertThat(resources(all)).containsAll(resources);
        assertThat(resources(rendered))
                .isEqualTo(resources(all).stream()
                        .filter(resource -> !resources.contains(resource))
                        .toList());
        assertThat(rendered.webhookNames())
                .isEqualTo(all.webhookNames().stream()
                        .filter(name -> !webhooks.contains(name.replace(".gitops-interlock.dev", "")))
                        .toList())
                .hasSize(5 - webhooks.size());
    }

    /** Which verbs, rights.txt has. */
    private static List<String> resources(Rendering rendering) {
        return rendering.rules().stream()
                .map(rule -> rule.at("/resources/0").asText())
                .distinct()
                .toList();
    }

    @Test
    void aFeatureThatIsOffIsOffInTheServiceToo() {
        var withoutJobs = settings(Rendering.of("jobs.enabled=false"));
        var withoutGate = settings(Rendering.of("machineConfigs.enabled=false"));

        assertThat(withoutJobs)
                .containsEntry("GITOPS_INTERLOCK_JOBS_ON_IMMUTABLE_CHANGE", "Ignore")
                .containsEntry("GITOPS_INTERLOCK_JOBS_ALLOW_OVERRIDES", "false");
        assertThat(withoutGate)
                .containsEntry("GITOPS_INTERLOCK_MACHINE_CONFIGS_SYNC_HOLD", "Disabled")
                .doesNotContainKey("GITOPS_INTERLOCK_ARGO_CD_NAMESPACES");
    }

    /** What it announces is said where the gate's own settings are. */
    @Test
    void aHubAloneHasNoWebhooksAndReadsTheKubeconfigsOfItsSecret() {
        var rendered = Rendering.of(
                "hub.enabled=true",
                "hub.kubeconfigSecret=clusters",
                "jobs.enabled=false",
                "machineConfigs.enabled=false",
                "kinds.StatefulSet=false",
                "argoCd.namespaces={hub}");
        var mount = rendered.container().at("/volumeMounts/1");

        assertThat(rendered.webhooks()).isEmpty();
        assertThat(rendered.pod().at("/volumes/1/secret/secretName").asText()).isEqualTo("clusters");
        assertThat(rendered.pod().at("/volumes/1/name")).isEqualTo(mount.path("name"));
        assertThat(settings(rendered))
                .containsEntry(
                        "GITOPS_INTERLOCK_HUB_DIRECTORY",
                        mount.path("mountPath").asText())
                .containsEntry("GITOPS_INTERLOCK_ARGO_CD_NAMESPACES", "hub")
                .containsEntry("GITOPS_INTERLOCK_MACHINE_CONFIGS_MAX_SYNC_AGE", "1h");
    }

    @Test
    void aGateThatOnlyObservesIsToldSo() {
        assertThat(settings(Rendering.of("machineConfigs.syncHold=Observe")))
                .containsEntry("GITOPS_INTERLOCK_MACHINE_CONFIGS_SYNC_HOLD", "Observe")
                .containsKey("GITOPS_INTERLOCK_ARGO_CD_NAMESPACES");
    }

    @Test
    void settingsAreTheServicesOwnDefaults() {
        var expected = new TreeMap<String, String>();
        InterlockConfig.ALL.stream()
                .filter(setting ->
                        !setting.byDefault().isEmpty() && !setting.name().contains(".self-managed."))
                .forEach(setting -> expected.put(setting.variable(), setting.byDefault()));
        expected.put("QUARKUS_HTTP_SSL_PORT", "10250");
        expected.put("QUARKUS_MANAGEMENT_PORT", "9000");

        assertThat(settings(Rendering.of())).isEqualTo(expected);
    }

    @Test
    void aNumberOfSecondsIsWrittenOut() {
        assertThat(settings(Rendering.of("jobs.ttlSecondsAfterFinished=3600000")))
                .containsEntry("GITOPS_INTERLOCK_JOBS_TTL_SECONDS_AFTER_FINISHED", "3600000");
        assertThat(settings(Rendering.of("jobs.ttlSecondsAfterFinished=0")))
                .containsEntry("GITOPS_INTERLOCK_JOBS_TTL_SECONDS_AFTER_FINISHED", "0");
    }

    @Test
    void aPodHasTimeToEnd() throws IOException {
        var properties = new Properties();
        properties.load(new StringReader(ChartFiles.projectText("src/main/resources/application.properties")));
        var needed = Stream.of("quarkus.shutdown.delay", "quarkus.shutdown.timeout")
                .map(name -> DurationConverter.parseDuration(properties.getProperty(name)))
                .reduce(Duration.ZERO, Duration::plus);

        var given = Duration.ofSeconds(
                Rendering.of().pod().path("terminationGracePeriodSeconds").asInt());

        assertThat(given).isGreaterThan(needed);
    }

    @Test
    void exemptNamespacesAreAddedToThoseThatAlwaysAre() {
        var exempt = Rendering.of("jobs.exemptNamespaces={shop,kube-system}").webhooks().stream()
                .filter(webhook -> webhook.has("namespaceSelector"))
                .map(webhook -> webhook.at("/namespaceSelector/matchExpressions/0/values")
                        .toString())
                .toList();

        assertThat(exempt)
                .containsExactly(
                        "[\"kube-system\",\"gitops-interlock\",\"shop\"]",
                        "[\"kube-system\",\"gitops-interlock\",\"shop\"]",
                        "[\"kube-system\",\"gitops-interlock\",\"shop\"]");
    }

    @Test
    void callerTokenIsInTheRegistrationsPathsAndInASecret() {
        var rendered = Rendering.of("callerToken=" + WORD);
        var paths = rendered.webhooks().stream()
                .map(webhook -> webhook.at("/clientConfig/service/path").asText())
                .toList();

        assertThat(paths)
                .containsExactly(
                        "/mutate/jobs/" + WORD,
                        "/mutate/objects/" + WORD,
                        "/validate/jobs/" + WORD,
                        "/validate/nodes/" + WORD,
                        "/validate/machineconfigs");
        assertThat(rendered.object("Deployment").toString()).doesNotContain(WORD);
        assertThat(Base64.getDecoder()
                        .decode(rendered.object("Secret").at("/data/token").asText()))
                .isEqualTo(WORD.getBytes(UTF_8));
        var reference = rendered.container()
                .path("env")
                .valueStream()
                .filter(variable -> variable.path("name").asText().equals("GITOPS_INTERLOCK_CALLER_TOKEN"))
                .map(variable -> variable.at("/valueFrom/secretKeyRef"))
                .toList();
        assertThat(reference).hasSize(1);
        assertThat(reference.getFirst().path("name"))
                .isEqualTo(rendered.object("Secret").at("/metadata/name"));
        assertThat(reference.getFirst().path("key").asText()).isEqualTo("token");
    }

    @Test
    void anotherCallerTokenTakesNewPods() {
        var template = "/spec/template/metadata/annotations";
        var one = Rendering.of("callerToken=" + WORD).object("Deployment").at(template);
        var another =
                Rendering.of("callerToken=" + WORD + "2").object("Deployment").at(template);

        assertThat(one).isNotEmpty().isNotEqualTo(another);
    }

    @Test
    void clientCaIsMountedWhereTheServiceReadsIt() {
        var rendered = Rendering.of(
                "clientCertificates.ca=-----BEGIN CERTIFICATE-----\nMIIB", "clientCertificates.names={one,two}");
        var mount = rendered.container().at("/volumeMounts/1");
        var volume = rendered.pod().at("/volumes/1");

        assertThat(rendered.object("ConfigMap").at("/data/ca.crt").asText())
                .isEqualToIgnoringNewLines("-----BEGIN CERTIFICATE-----\nMIIB\n");
        assertThat(volume.at("/configMap/name"))
                .isEqualTo(rendered.object("ConfigMap").at("/metadata/name"));
        assertThat(mount.path("name")).isEqualTo(volume.path("name"));
        assertThat(settings(rendered))
                .containsEntry(
                        "GITOPS_INTERLOCK_CLIENT_CERTIFICATES_CA_FILE",
                        mount.path("mountPath").asText() + "/ca.crt")
                .containsEntry("GITOPS_INTERLOCK_CLIENT_CERTIFICATES_NAMES", "one,two");
    }

    static Stream<Arguments> whoSaysWhomToTrust() {
        return Stream.of(
                arguments(List.of(), "{'cert-manager.io/inject-ca-from': 'gitops-interlock/gitops-interlock-webhook'}"),
                arguments(
                        List.of("certificates.mode=selfManaged"),
                        "{'gitops-interlock.dev/certificates': 'selfManaged'}"),
                arguments(
                        List.of("certificates.mode=openshiftServiceCa"),
                        "{'service.beta.openshift.io/inject-cabundle': 'true'}"),
                arguments(
                        List.of(
                                "certificates.mode=existingSecret",
                                "certificates.existingSecret.name=my-tls",
                                "certificates.existingSecret.annotations.who=knows"),
                        "{'who': 'knows'}"));
    }

    /** A template that wrote an empty caBundle would take away what was filled in. */
    @ParameterizedTest
    @MethodSource("whoSaysWhomToTrust")
    void caBundleIsLeftToWhoeverFillsItIn(List<String> values, String annotations) {
        var rendered = Rendering.by(Helm.HELM_4, values);

        assertThat(rendered.webhooks())
                .hasSize(5)
                .allSatisfy(webhook ->
                        assertThat(webhook.path("clientConfig").has("caBundle")).isFalse());
        for (var kind : List.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")) {
            assertThat(rendered.object(kind).at("/metadata/annotations")).isEqualTo(Trees.json(annotations));
        }
    }

    @Test
    void theServingCertificateIsForTheServiceThatIsAsked() {
        var rendered = Rendering.of();
        var service = rendered.webhooks().getFirst().at("/clientConfig/service");
        var leaf = rendered.objects("Certificate").stream()
                .filter(certificate -> !certificate.at("/spec/isCA").asBoolean())
                .findFirst()
                .orElseThrow();

        assertThat(leaf.at("/spec/dnsNames/0").asText())
                .isEqualTo(service.path("name").asText() + "."
                        + service.path("namespace").asText() + ".svc");
        assertThat(leaf.at("/spec/secretName")).isEqualTo(rendered.pod().at("/volumes/0/secret/secretName"));
        assertThat(rendered.container().at("/volumeMounts/0/mountPath").asText())
                .isEqualTo(settings(rendered).get("GITOPS_INTERLOCK_CERTIFICATE_DIRECTORY"));
        assertThat(rendered.object("Service").at("/metadata/name")).isEqualTo(service.path("name"));
        assertThat(rendered.object("Service").at("/spec/ports/0/port")).isEqualTo(service.path("port"));
    }

    @Test
    void anIssuerOfOnesOwnTakesThePlaceOfTheChartsCa() {
        var rendered = Rendering.of("certificates.certManager.issuerRef.name=company");

        assertThat(rendered.objects("Issuer")).isEmpty();
        assertThat(rendered.object("Certificate").at("/spec/issuerRef/name").asText())
                .isEqualTo("company");
    }

    @Test
    void notesSayWhatIsGuardedAndHowToSwitchItOff() {
        assertThat(notes())
                .contains(
                        "Job edits that Kubernetes refuses: Reject, unless its Namespace says otherwise, or the Job says Reject or Ignore",
                        "wait for Argo CD syncs in openshift-gitops, argocd, at most 20m",
                        "kubectl delete mutatingwebhookconfiguration/zz-gitops-interlock validatingwebhookconfiguration/gitops-interlock\n",
                        "Nothing is carried out and no right over Jobs is granted: replacement.enabled is false.",
                        "a denial ends with a code and no link: set guidance.pages")
                .doesNotContain("WARNING", "caller token");
        assertThat(notes("jobs.enabled=false", "kinds.StatefulSet=false"))
                .contains("kubectl delete validatingwebhookconfiguration/gitops-interlock\n")
                .doesNotContain("Job edits", "Nothing is carried out", "WARNING");
        assertThat(notes(
                        "callerToken=" + WORD,
                        "acceptReadableCallerToken=true",
                        "clientCertificates.ca=-----BEGIN CERTIFICATE-----",
                        "clientCertificates.names={one}",
                        "replicaCount=1",
                        "replacement.enabled=true",
                        "replacement.namespaces={shop}",
                        "replacement.as=Requester",
                        "jobs.failurePolicy=Fail"))
                .contains(
                        "WARNING: failurePolicy is Fail and there are fewer than two replicas",
                        "says Replace or GenerateName, in shop only:\n  in the name of the requester",
                        "The caller token can be read by",
                        "under failurePolicy Fail, by everybody who sends a request while no Pod answers")
                .doesNotContain(WORD);
        assertThat(notes("callerToken=" + WORD, "replacement.enabled=true", "replacement.as=ServiceAccount"))
                .contains("in the name of this release's account", "policies keyed on the user see this account");
        assertThat(notes(
                        "clientCertificates.ca=-----BEGIN CERTIFICATE-----",
                        "clientCertificates.names={one}",
                        "guidance.pages=https://wiki.example"))
                .doesNotContain("WARNING", "link");
    }

    /**
     * Values that cannot be meant.
     *
     * @param words what the chart says of them
     */
    record Contradiction(String words, List<String> values) {

        @Override
        public String toString() {
            return words;
        }
    }

    static Stream<Contradiction> contradictions() {
        return Stream.of(
                new Contradiction("image.repository is empty", List.of("image.repository=")),
                new Contradiction(
                        "upgradePlans.enabled is true, and machineConfigs.enabled is false",
                        List.of("upgradePlans.enabled=true", "machineConfigs.enabled=false")),
                new Contradiction(
                        "inPlaceNodePools.enabled is true, and nothing proves that the API server is the caller",
                        List.of("inPlaceNodePools.enabled=true")),
                new Contradiction(
                        "jobs.holdRestartsOfCronJobs is true, and no policy ever asks for it",
                        List.of("jobs.holdRestartsOfCronJobs=true", "jobs.allowOverrides=false")),
                new Contradiction(
                        "replacement.statefulSets is true, and kinds.StatefulSet is false",
                        List.of("replacement.statefulSets=true", "kinds.StatefulSet=false")),
                new Contradiction(
                        "replacement.statefulSets is true, and replacement.enabled is false",
                        List.of("replacement.statefulSets=true")),
                new Contradiction(
                        "replacement.statefulSets is true, and jobs.allowOverrides is false",
                        List.of(
                                "replacement.statefulSets=true",
                                "replacement.enabled=true",
                                "callerToken=" + WORD,
                                "jobs.onImmutableChange=Replace",
                                "jobs.allowOverrides=false")),
                new Contradiction(
                        "jobs.timeoutSeconds is below 8",
                        List.of(
                                "replacement.statefulSets=true",
                                "replacement.enabled=true",
                                "callerToken=" + WORD,
                                "jobs.timeoutSeconds=7")),
                new Contradiction(
                        "image.repository begins with the registry registry.invalid",
                        List.of("global.imageRegistry=mirror.example")),
                new Contradiction(
                        "certificates.selfManaged.overlap has to be at least 3 times certificates.pollInterval",
                        List.of("certificates.mode=selfManaged", "certificates.pollInterval=30m")),
                new Contradiction(
                        "podLabels has app.kubernetes.io/instance,",
                        List.of("podLabels.app\\.kubernetes\\.io/instance=x")),
                new Contradiction(
                        "test.namespace is shop, whose Jobs are exempt",
                        List.of("test.namespace=shop", "jobs.exemptNamespaces={shop}")),
                new Contradiction(
                        "jobs.enabled, machineConfigs.enabled and hub.enabled are false, and so are all kinds",
                        List.of("jobs.enabled=false", "machineConfigs.enabled=false", "kinds.StatefulSet=false")),
                new Contradiction(
                        "jobs.onImmutableChange is GenerateName, and replacement.enabled is false",
                        List.of("jobs.onImmutableChange=GenerateName", "replacement.enabled=false")),
                new Contradiction(
                        "jobs.whenActive is Replace, and nothing is ever replaced", List.of("jobs.whenActive=Replace")),
                new Contradiction(
                        "jobs.whenActive is Replace, and nothing is ever replaced",
                        List.of(
                                "jobs.whenActive=Replace",
                                "replacement.enabled=true",
                                "callerToken=" + WORD,
                                "jobs.onImmutableChange=GenerateName",
                                "jobs.allowOverrides=false")),
                new Contradiction(
                        "nothing proves that the API server is the caller", List.of("replacement.enabled=true")),
                new Contradiction(
                        "no policy ever asks for it",
                        List.of("replacement.enabled=true", "callerToken=" + WORD, "jobs.allowOverrides=false")),
                new Contradiction(
                        "jobs.timeoutSeconds is below 5",
                        List.of("replacement.enabled=true", "callerToken=" + WORD, "jobs.timeoutSeconds=4")),
                new Contradiction(
                        "replacement.allowJobAnnotations is true, and jobs.allowOverrides is false",
                        List.of(
                                "replacement.enabled=true",
                                "callerToken=" + WORD,
                                "jobs.onImmutableChange=Replace",
                                "replacement.allowJobAnnotations=true",
                                "jobs.allowOverrides=false")),
                new Contradiction(
                        "replacement.namespaces names gitops-interlock, whose Jobs are exempt",
                        List.of(
                                "replacement.enabled=true",
                                "callerToken=" + WORD,
                                "replacement.namespaces={shop,gitops-interlock}")),
                new Contradiction(
                        "replacement.namespaces is given, and replacement.enabled is false",
                        List.of("replacement.namespaces={shop}")),
                new Contradiction(
                        "replacement.allowJobAnnotations is given, and replacement.enabled is false",
                        List.of("replacement.allowJobAnnotations=true")),
                new Contradiction(
                        "additionalCallerToken is given without callerToken", List.of("additionalCallerToken=" + WORD)),
                new Contradiction(
                        "callerToken and additionalCallerToken are the same",
                        List.of("callerToken=" + WORD, "additionalCallerToken=" + WORD)),
                new Contradiction(
                        "jobs.failurePolicy is Fail, and callerToken is set",
                        List.of("callerToken=" + WORD, "jobs.failurePolicy=Fail")),
                new Contradiction(
                        "a caller token is the only proof",
                        List.of(
                                "callerToken=" + WORD,
                                "replacement.enabled=true",
                                "jobs.failurePolicy=Fail",
                                "acceptReadableCallerToken=true")),
                new Contradiction(
                        "jobs.failurePolicy is Fail, and certificates.selfManaged.callerToken is true",
                        List.of("certificates.mode=selfManaged", "jobs.failurePolicy=Fail")),
                new Contradiction(
                        "callerToken is given, and certificates.mode is selfManaged",
                        List.of("certificates.mode=selfManaged", "callerToken=" + WORD)),
                new Contradiction(
                        "certificates.selfManaged.caDuration has to be at least 3 times"
                                + " certificates.selfManaged.duration",
                        List.of("certificates.mode=selfManaged", "certificates.selfManaged.caDuration=2160h")),
                new Contradiction(
                        "certificates.selfManaged.duration has to be at least 6 times certificates.selfManaged.overlap",
                        List.of("certificates.mode=selfManaged", "certificates.selfManaged.duration=5h")),
                new Contradiction(
                        "machineConfigs.failurePolicy is Fail, and callerToken is set",
                        List.of("callerToken=" + WORD, "machineConfigs.failurePolicy=Fail")),
                new Contradiction(
                        "machineConfigs.syncHold is Observe, so that no rollout waits, and"
                                + " machineConfigs.failurePolicy is Fail",
                        List.of("machineConfigs.syncHold=Observe", "machineConfigs.failurePolicy=Fail")),
                new Contradiction(
                        "replacement.recreateDelay is 6s, at most 5s is allowed",
                        List.of("replacement.recreateDelay=6s")),
                new Contradiction(
                        "machineConfigs.maxSyncAge is 25h, at most 24h is allowed",
                        List.of("machineConfigs.maxSyncAge=25h")),
                new Contradiction("name the Secret", List.of("certificates.mode=existingSecret")),
                new Contradiction(
                        "the API server has to know which CA to trust",
                        List.of("certificates.mode=existingSecret", "certificates.existingSecret.name=my-tls")),
                new Contradiction(
                        "certificates.existingSecret has caBundle and annotations",
                        List.of(
                                "certificates.mode=existingSecret",
                                "certificates.existingSecret.name=my-tls",
                                "certificates.existingSecret.caBundle=-----BEGIN CERTIFICATE-----",
                                "certificates.existingSecret.annotations.who=knows")),
                new Contradiction(
                        "certificates.existingSecret is given, and certificates.mode is certManager",
                        List.of("certificates.existingSecret.name=my-tls")),
                new Contradiction(
                        "certificates.certManager.issuerRef is given, and certificates.mode is openshiftServiceCa",
                        List.of(
                                "certificates.mode=openshiftServiceCa",
                                "certificates.certManager.issuerRef.name=ours")),
                new Contradiction(
                        "certificates.certManager.renewBefore has to be shorter",
                        List.of("certificates.certManager.renewBefore=2160h")),
                new Contradiction(
                        "clientCertificates.ca is given without clientCertificates.names",
                        List.of("clientCertificates.ca=-----BEGIN CERTIFICATE-----")),
                new Contradiction(
                        "clientCertificates.names is given without clientCertificates.ca",
                        List.of("clientCertificates.names={kube-apiserver}")),
                new Contradiction(
                        "ports.webhook and ports.management are the same port", List.of("ports.management=10250")),
                new Contradiction(
                        "serviceAccount.create is false, and serviceAccount.name is empty",
                        List.of("serviceAccount.create=false")),
                new Contradiction("which the kubelet has on every Node", List.of("hostNetwork=true")),
                new Contradiction("Set 128Mi or more", List.of("resources.limits.memory=96Mi")),
                new Contradiction("Set 128Mi or more", List.of("resources.limits.memory=128M")),
                new Contradiction("Set 128Mi or more", List.of("resources.limits.memory=0.1Gi")),
                new Contradiction(
                        "podDisruptionBudget.maxUnavailable lets all replicas go at once",
                        List.of("podDisruptionBudget.maxUnavailable=2")),
                new Contradiction(
                        "a NetworkPolicy does not apply to Pods on the network of their Node",
                        List.of("networkPolicy.enabled=true", "hostNetwork=true", "ports.webhook=9443")),
                new Contradiction(
                        "networkPolicy.enabled needs networkPolicy.apiServers", List.of("networkPolicy.enabled=true")),
                new Contradiction(
                        "name the Namespace of Prometheus",
                        List.of(
                                "networkPolicy.enabled=true",
                                "networkPolicy.apiServers={10.0.0.1/32}",
                                "serviceMonitor.enabled=true")),
                new Contradiction(
                        "networkPolicy has addresses, peers or Namespaces, and networkPolicy.enabled is false",
                        List.of("networkPolicy.apiServers={10.0.0.1/32}")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contradictions")
    void aContradictionStopsTheRendering(Contradiction contradiction) {
        isStopped(Helm.HELM_4, contradiction);
    }

    @Test
    void aContradictionStopsTheOtherHelmToo() {
        isStopped(Helm.HELM_3, contradictions().findFirst().orElseThrow());
    }

    private static void isStopped(Helm helm, Contradiction contradiction) {
        var answer = Rendering.by(helm, contradiction.values()).answer();

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.err()).contains(contradiction.words());
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void everyContradictionIsTried() {
        var answers = contradictions()
                .map(each -> Rendering.by(Helm.HELM_4, each.values()).answer().err())
                .toList();
        var messages = Pattern.compile("fail (?:\\(printf )?\"([^\"]+)\"")
                .matcher(ChartFiles.text("templates/_contradictions.tpl"))
                .results()
                .map(match -> Pattern.compile(Pattern.quote(match.group(1))
                        .replace("%s", "\\E\\S+\\Q")
                        .replace("%d", "\\E[0-9]\\Q")))
                .toList();

        assertThat(messages)
                .isNotEmpty()
                .allSatisfy(message -> assertThat(answers)
                        .anyMatch(answer -> message.matcher(answer).find()));
    }

    @Test
    void aFormerNameIsRefusedWithTheNewOne() {
        assertThat(ValuesComments.beginningWith("# @formerly ")).isNotEmpty().allSatisfy((name, former) -> {
            assertThat(Rendering.of(former + "=false").answer().err())
                    .contains("renamed: set " + name + " in place of " + former);
        });
    }

    private static final Map<String, String> OF_ANOTHER_FORM = Map.ofEntries(
            entry("/jobs/onImmutableChange", "jobs.onImmutableChange=replace"),
            entry("/jobs/enabled", "jobs.enabled=sometimes"),
            entry("/jobs/timeoutSeconds", "jobs.timeoutSeconds=31"),
            entry("/jobs/failurePolicy", "jobs.failurePolicy=Deny"),
            entry("/replacement/recreateDelay", "replacement.recreateDelay=half a second"),
            entry("/jobs/ttlSecondsAfterFinished", "jobs.ttlSecondsAfterFinished=-1"),
            entry("/jobs/exemptNamespaces/0", "jobs.exemptNamespaces={kube-*}"),
            entry("/machineConfigs/controller", "machineConfigs.controller=x' || true || '"),
            entry("/argoCd/namespaces/0", "argoCd.namespaces={}"),
            entry("/argoCd/projects/0", "argoCd.projects={A}"),
            entry("/callerToken", "callerToken=tooshort"),
            entry("/additionalCallerToken", "additionalCallerToken=TooShort"),
            entry("/replacement/as", "replacement.as=Admin"),
            entry("/replacement/namespaces/0", "replacement.namespaces={*}"),
            entry("/clientCertificates/ca", "clientCertificates.ca=ca.crt"),
            entry("/clientCertificates/names/0", "clientCertificates.names={a\\,b}"),
            entry("/certificates/mode", "certificates.mode=selfSigned"),
            entry("/certificates/existingSecret/caBundle", "certificates.existingSecret.caBundle=LS0tLS1CRUdJTg=="),
            entry("/guidance/pages", "guidance.pages=ftp://pages"),
            entry("/image/digest", "image.digest=sha256:1"),
            entry("/replicaCount", "replicaCount=0"),
            entry("/resources/limits/memory", "resources.limits.memory=much"),
            entry("/ports/webhook", "ports.webhook=443"),
            entry("/networkPolicy/apiServers/0", "networkPolicy.apiServers={everywhere}"));

    /** Helm names all at once. */
    @ParameterizedTest
    @EnumSource
    void aValueOfAnotherFormIsRefusedByItsName(Helm helm) {
        var answer = Rendering.by(helm, List.copyOf(OF_ANOTHER_FORM.values())).answer();

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(OF_ANOTHER_FORM.keySet())
                .allSatisfy(pointer -> assertThat(answer.err()).contains("- at '" + pointer + "': "));
    }

    @Test
    void anUnknownValueIsRefusedInEveryBlock() {
        var blocks = Trees.pointers(ChartFiles.values()).stream()
                .filter(pointer -> ChartFiles.values().at(pointer).isObject())
                .filter(pointer -> !Pattern.compile(
                                "nodeSelector|affinity|global|strategy|\\w*([aA]nnotations|[lL]abels)")
                        .asMatchPredicate()
                        .test(pointer.last() == null ? "" : pointer.last().getMatchingProperty()))
                .map(JsonPointer::toString)
                .toList();

        var answer = Rendering.by(
                        Helm.HELM_4,
                        blocks.stream()
                                .map(block ->
                                        (block + "/unheardOf=1").substring(1).replace('/', '.'))
                                .toList())
                .answer();

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(blocks)
                .isNotEmpty()
                .allSatisfy(block -> assertThat(answer.err())
                        .contains("- at '" + block + "': additional properties 'unheardOf' not allowed"));
    }

    private static String notes(String... values) {
        return Helm.HELM_4
                .notes(ChartFiles.FOLDER, Rendering.NAME, Rendering.flags(List.of(values)))
                .orFail()
                .out()
                .replaceFirst("(?s).*\nNOTES:\n", "");
    }

    private static Map<String, String> settings(Rendering rendering) {
        var settings = new TreeMap<String, String>();
        for (var variable : rendering.container().path("env")) {
            settings.put(variable.path("name").asText(), variable.path("value").asText());
        }
        return settings;
    }
}
