package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.EffectiveSettings;
import dev.gitopsinterlock.doctor.Installation;
import dev.gitopsinterlock.doctor.Reading;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.InstalledSettings;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds the installation that the API server asks: the one behind the Service that our webhook configurations name. A
 * label alone proves nothing, except in a Namespace that the caller names.
 *
 * @param cluster that is asked
 * @param namespace of the installation that the caller means; empty where there is only one
 */
public record InstallationLookup(ClusterReader cluster, Optional<String> namespace) {

    private static final String REGISTRATIONS = "/apis/admissionregistration.k8s.io/v1/";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/%s/deployments";
    private static final String SELECTED = "?labelSelector=app.kubernetes.io/name%3Dgitops-interlock";

    /** Where an installation is, or why nobody can tell. */
    public sealed interface Place {}

    /**
     * An installation that the cluster shows.
     *
     * @param name of the Service
     * @param deployment behind that Service
     */
    public record Known(String namespace, String name, Reading deployment) implements Place {}

    /** Nothing is installed, in the cluster or in the Namespace that was named. */
    public record None(Optional<String> namespace) implements Place {

        /** For commands that need an installation. */
        public Unreadable problem() {
            return namespace
                    .map(name -> Unreadable.wrongUse("there is no Deployment of gitops-interlock in Namespace " + name))
                    .orElse(Unreadable.trouble(
                            "gitops-interlock is not installed: the cluster has no webhook configuration of it (--namespace names an"
                                    + " installation without)"));
        }
    }

    /**
     * An installation that cannot be found, although there may be one.
     *
     * @param isRefused whether a right is missing
     */
    public record Unknown(String why, boolean isRefused) implements Place {}

    /** Reads the webhook configurations, and looks behind the Service that they name. */
    public Place find() throws Unreadable {
        return find(List.of(
                configurations("mutatingwebhookconfigurations"), configurations("validatingwebhookconfigurations")));
    }

    /** Webhook configurations of one kind: ours and all others. */
    public Reading configurations(String resource) throws Unreadable {
        return cluster.read(REGISTRATIONS + resource);
    }

    /**
     * Looks behind the Service that webhook configurations name.
     *
     * @param configurations as lists
     */
    public Place find(Collection<Reading> configurations) throws Unreadable {
        var service = service(configurations);
        if (service.isPresent()) {
            return behind(service.get());
        }
        if (namespace.isPresent()) {
            return labelled(namespace.get());
        }
        var refused = configurations.stream().filter(Reading::isRefused).findFirst();
        if (refused.isPresent()) {
            return new Unknown(refused.get().obstacle() + "; --namespace names the installation", true);
        }
        return configurations.stream().flatMap(Installation::ours).findAny().isEmpty()
                ? new None(namespace)
                : new Unknown(
                        "webhook configurations of gitops-interlock name no Service; --namespace names the installation",
                        false);
    }

    /** The Service that is asked; wrong use where there are several. */
    public Optional<ObjectName> service(Collection<Reading> configurations) throws Unreadable {
        var services = configurations.stream()
                .flatMap(Installation::ours)
                .map(webhook -> webhook.at("/clientConfig/service"))
                .filter(JsonNode::isObject)
                .map(InstallationLookup::name)
                .filter(service -> namespace.isEmpty() || namespace.get().equals(service.namespace()))
                .distinct()
                .toList();
        return one(services);
    }

    private static Optional<ObjectName> one(List<ObjectName> installations) throws Unreadable {
        if (installations.size() > 1) {
            throw Unreadable.wrongUse("there are several installations, choose one by --namespace: "
                    + installations.stream()
                            .map(ObjectName::toString)
                            .sorted(Comparator.naturalOrder())
                            .collect(Collectors.joining(", ")));
        }
        return installations.stream().findFirst();
    }

    /** The Deployment of that name; without one, whose Pods the Service selects. */
    private Known behind(ObjectName service) throws Unreadable {
        var namespace = service.namespace();
        var deployments = DEPLOYMENTS.formatted(namespace);
        var deployment = cluster.read(deployments + "/" + service.name());
        if (deployment.isAbsent()) {
            var selector = ObjectMeta.texts(
                    cluster.read("/api/v1/namespaces/%s/services/%s".formatted(namespace, service.name()))
                            .tree()
                            .at("/spec/selector"));
            deployment = cluster.read(deployments)
                    .items()
                    .filter(each -> !selector.isEmpty()
                            && ObjectMeta.texts(each.at("/spec/template/metadata/labels"))
                                    .entrySet()
                                    .containsAll(selector.entrySet()))
                    .findFirst()
                    .map(Reading::of)
                    .orElse(deployment);
        }
        return new Known(namespace, service.name(), deployment);
    }

    /** What the service is set to: as one of its Pods shows it, else as its Deployment says. */
    public InstalledSettings settings(Known known) {
        return EffectiveSettings.of(shown(known), known.deployment().tree());
    }

    /** Something else that answers at that port is no service of ours. */
    private Optional<JsonNode> shown(Known known) {
        var text = cluster.ofPods(known.namespace(), known.name(), "/settings");
        try {
            return text.isEmpty()
                    ? Optional.empty()
                    : Optional.of(JsonText.parse(text.get()))
                            .filter(settings -> settings.path("gitops-interlock.jobs.on-immutable-change")
                                    .isTextual());
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    private Place labelled(String namespace) throws Unreadable {
        var deployments = cluster.read(DEPLOYMENTS.formatted(namespace) + SELECTED);
        if (deployments.isRefused()) {
            return new Unknown(deployments.obstacle(), true);
        }
        var found =
                one(deployments.items().map(each -> name(each.path("metadata"))).toList());
        return found.isEmpty()
                ? new None(Optional.of(namespace))
                : new Known(
                        namespace,
                        found.get().name(),
                        Reading.of(deployments.items().findFirst().orElseThrow()));
    }

    private static ObjectName name(JsonNode metadata) {
        return new ObjectName(
                metadata.path("namespace").asText(), metadata.path("name").asText());
    }
}
