package dev.gitopsinterlock.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.policy.InstalledSettings;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a cluster shows of an installation.
 *
 * @param namespace of its Service and Deployment; empty where there is none
 * @param name of the Service
 * @param mutating ours and all others, as a list
 * @param validating the same
 * @param endpoints EndpointSlices of the Service, as a list
 * @param settings of the service
 * @param secret that holds caller tokens; absent where its settings know none
 * @param served the serving certificate
 * @param bundles for each webhook
 * @param certManager Certificates and Issuers in the Namespace, as a list; absent where the cluster knows no such kinds
 * @param rights all that the chart knows, each with what has to be on
 * @param granted rules of the account's roles: of the whole cluster, and by Namespace
 * @param machineConfigs absent where the cluster has none
 * @param namespaces all
 * @param metrics of the API server
 * @param kubernetes its version
 * @param commandLine the version of this program
 */
public record Installation(
        String namespace,
        String name,
        Reading mutating,
        Reading validating,
        Reading service,
        Reading endpoints,
        Reading deployment,
        InstalledSettings settings,
        Reading secret,
        Served served,
        List<Bundle> bundles,
        Reading certManager,
        Reading budgets,
        JsonNode rights,
        Reading granted,
        Reading machineConfigs,
        Reading applications,
        Reading namespaces,
        Reading metrics,
        Reading kubernetes,
        String commandLine,
        Instant now) {

    static final String JOBS = "jobs.gitops-interlock.dev";
    static final String NODE_GATE = "node-gate.gitops-interlock.dev";

    private static final String OURS = ".gitops-interlock.dev";

    public Installation {
        bundles = List.copyOf(bundles);
    }

    /** Whether it is one of ours, by its name. */
    public static boolean isOurs(JsonNode webhook) {
        return webhook.path("name").asText().endsWith(OURS);
    }

    /** Our webhooks of a list of configurations. */
    public static Stream<JsonNode> ours(Reading configurations) {
        return configurations
                .items()
                .flatMap(configuration -> configuration.path("webhooks").valueStream())
                .filter(Installation::isOurs);
    }

    /** The webhooks of both configurations. */
    public Stream<JsonNode> webhooks() {
        return Stream.of(mutating, validating).flatMap(Installation::ours);
    }

    /** As kubectl takes it. */
    String deploymentResource() {
        return "deployment/" + deployment.tree().at("/metadata/name").asText(name);
    }

    /** The first configuration that has a webhook of ours. */
    static Optional<JsonNode> configuration(Reading list) {
        return list.items()
                .filter(each -> each.path("webhooks").valueStream().anyMatch(Installation::isOurs))
                .findFirst();
    }

    /** The webhook that is asked about edits of Jobs, among mutating ones. */
    public static Optional<JsonNode> ofJobEdits(Reading configurations) {
        return configurations
                .items()
                .flatMap(configuration -> configuration.path("webhooks").valueStream())
                .filter(webhook -> webhook.path("name").asText().equals(JOBS))
                .findFirst();
    }

    boolean isOn(String setting) {
        return settings.word(setting).equals("true");
    }

    /** Whether anything is to be done about Jobs. */
    boolean judgesJobs() {
        return !settings.word("jobs.on-immutable-change").equals("Ignore") || isOn("jobs.allow-overrides");
    }

    boolean holdsRollouts() {
        return !settings.word("machine-configs.sync-hold").equals("Disabled");
    }

    /** Whether rollouts of this one wait where any do. */
    boolean holds(KnownMaker maker) {
        return !settings.word(maker.setting()).isEmpty();
    }

    /** Whether anything waits beside rollouts of MachineConfigs. */
    boolean holdsOtherRestarts() {
        return EnumSet.complementOf(EnumSet.of(KnownMaker.MACHINE_CONFIG_CONTROLLER)).stream()
                .anyMatch(this::holds);
    }

    /** Whether syncs are announced in other clusters. */
    boolean isHub() {
        return !settings.word("hub.directory").isEmpty();
    }

    List<String> list(String setting) {
        return Stream.of(settings.word(setting).split(",", -1))
                .filter(each -> !each.isEmpty())
                .toList();
    }

    /** Namespaces in which edits are carried out; none: in all. */
    public List<String> replacementNamespaces() {
        return list("replacement.namespaces");
    }

    /** Namespaces whose Leases hold rollouts; none where none do. */
    public List<String> leaseNamespaces() {
        return holdsRollouts() ? list("machine-configs.lease-namespaces") : List.of();
    }

    /** The Secret in which the service keeps certificate and tokens itself, if it does. */
    public Optional<String> trustSecret() {
        return Optional.of(settings.word("certificate.self-managed.secret")).filter(name -> !name.isEmpty());
    }

    /** The Secret that the Deployment takes the certificate from, if it takes one. */
    public Optional<String> mountedSecret() {
        return deployment
                .tree()
                .at("/spec/template/spec/volumes")
                .valueStream()
                .filter(volume -> volume.path("name").asText().equals("tls"))
                .map(volume -> volume.at("/secret/secretName").asText())
                .findFirst();
    }

    boolean rotatesToken() {
        return trustSecret().isPresent() && isOn("certificate.self-managed.caller-token");
    }

    boolean emitsDenialEvents() {
        return judgesJobs()
                && isOn("events.refused-edits")
                && (rotatesToken()
                        || settings.tokenSecret().isPresent()
                        || !settings.word("caller-token").isEmpty()
                        || !settings.word("client-certificates.ca-file").isEmpty());
    }

    String host() {
        return name + "." + namespace + ".svc";
    }

    JsonNode label(JsonNode object, String key) {
        return ObjectMeta.labels(object).path(key);
    }

    private Optional<String> release() {
        return Optional.of(ObjectMeta.annotation(deployment.tree(), "meta.helm.sh/release-name"))
                .filter(Wording::isName);
    }

    /** The command that brings back what was installed. */
    String installAgain() {
        return release()
                .map(release -> "helm -n %s get manifest %s | kubectl apply -f -".formatted(namespace, release))
                .orElse("kubectl apply -k deploy, or sync the application that installs gitops-interlock");
    }

    /** The command that changes a value of the chart. */
    String change(String value) {
        return release()
                .map(release -> "helm -n %s upgrade %s CHART --reset-then-reuse-values --set '%s'"
                        .formatted(namespace, release, value))
                .orElse("set %s where gitops-interlock is installed from".formatted(value));
    }

    /** The command that makes another certificate, or shows why there is none. */
    String newCertificate() {
        if (trustSecret().isPresent()) {
            return "kubectl -n %s logs %s --all-pods".formatted(namespace, deploymentResource());
        }
        return certManager.items().findAny().isPresent()
                ? "cmctl -n %s renew --all".formatted(namespace)
                : "make a certificate for %s (tls.crt, tls.key), then: kubectl -n %s create secret tls %s --cert=tls.crt --key=tls.key --dry-run=client -o yaml | kubectl apply -f -"
                        .formatted(
                                host(),
                                namespace,
                                mountedSecret().filter(Wording::isName).orElse("NAME"));
    }

    /** The command that shows why nobody answers: what the Service selects, the Pods, and the Events of those who make them. */
    static String showPods(String where) {
        // of several objects kubectl shows no Events by itself
        return "kubectl describe %s --show-events service,deployment,replicaset,pod -l app.kubernetes.io/name=gitops-interlock"
                .formatted(where);
    }

    /** The configuration that a webhook is in, as kubectl takes it. */
    String resource(JsonNode configuration) {
        var kind = configuration.path("kind").asText();
        return (kind.isEmpty() ? "mutatingwebhookconfiguration" : kind.toLowerCase(Locale.ROOT)) + " "
                + ObjectMeta.name(configuration);
    }
}
