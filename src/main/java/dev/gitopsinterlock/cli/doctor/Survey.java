package dev.gitopsinterlock.cli.doctor;

import static dev.gitopsinterlock.doctor.Check.APPLICATIONS;
import static dev.gitopsinterlock.doctor.Check.CERT_MANAGER;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.cli.cluster.ApiServer;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.cluster.InstallationLookup;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.EffectiveSettings;
import dev.gitopsinterlock.config.PackagedFile;
import dev.gitopsinterlock.doctor.Installation;
import dev.gitopsinterlock.doctor.Reading;
import dev.gitopsinterlock.doctor.Served;
import dev.gitopsinterlock.policy.InstalledSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Reads what a cluster shows of an installation. What may not or cannot be read is a part of the result. */
final class Survey {

    private static final String CERT_MANAGER = "/apis/cert-manager.io/v1";
    private static final String MACHINE_CONFIGS = "/apis/machineconfiguration.openshift.io/v1";
    private static final String APPLICATIONS = "/apis/argoproj.io/v1alpha1/applications";
    private static final String SELECTED = "?labelSelector=app.kubernetes.io/name%3Dgitops-interlock";

    private final ApiServer server;
    private final ApiServer answering;
    private final ClusterReader cluster;
    private final InstallationLookup lookup;
    private final Optional<String> onlyIn;
    private final Instant now;

    /**
     * Of one installation.
     *
     * @param onlyIn its Namespace, where there are several
     */
    Survey(ApiServer server, Optional<String> onlyIn, Instant now) {
        this.server = server;
        this.answering = (method, path, body) -> {
            try {
                return server.send(method, path, body);
            } catch (Unreadable e) {
                return unanswered(e);
            }
        };
        this.cluster = new ClusterReader(answering);
        this.lookup = new InstallationLookup(cluster, onlyIn);
        this.onlyIn = onlyIn;
        this.now = now;
    }

    Installation installation(String commandLine) throws Unreadable {
        var kubernetes = kubernetes();
        var mutating = mutating();
        var validating = configurations("validatingwebhookconfigurations");
        var place = place(mutating, validating);
        var namespace = place.namespace;
        var isThere = !namespace.isEmpty();
        var known = with(place, mutating, validating, commandLine);
        var tokens = known.trustSecret().or(known.settings()::tokenSecret);
        var secret = isThere && tokens.isPresent()
                ? cluster.read(ResourceType.SECRET.path(new ObjectName(namespace, tokens.get())))
                : Reading.absent();
        var chain = ServedChain.of(known, secret, cluster);
        return new Installation(
                namespace,
                place.name,
                mutating,
                validating,
                isThere ? cluster.read(in("/api/v1", namespace, "services/" + place.name)) : Reading.absent(),
                isThere
                        ? cluster.read(in("/apis/discovery.k8s.io/v1", namespace, "endpointslices")
                                + "?labelSelector=kubernetes.io/service-name%3D" + place.name)
                        : Reading.absent(),
                place.deployment,
                place.settings,
                secret,
                chain.served(known, cluster, now),
                known.webhooks()
                        .map(webhook -> Certificates.bundle(webhook, chain.certificates()))
                        .toList(),
                isThere ? certManager(namespace) : Reading.absent(),
                isThere ? cluster.read(in("/apis/policy/v1", namespace, "poddisruptionbudgets")) : Reading.absent(),
                rights(),
                new GrantedRules(cluster).of(known),
                cluster.read(MACHINE_CONFIGS),
                applications(),
                cluster.read("/api/v1/namespaces"),
                metrics(),
                kubernetes,
                commandLine,
                now);
    }

    /** What is known first, and tells where to look for the rest. */
    private Installation with(Place place, Reading mutating, Reading validating, String commandLine) {
        var nothing = Reading.absent();
        return new Installation(
                place.namespace,
                place.name,
                mutating,
                validating,
                nothing,
                nothing,
                place.deployment,
                place.settings,
                nothing,
                new Served("", "", List.of(), Optional.empty()),
                List.of(),
                nothing,
                nothing,
                MissingNode.getInstance(),
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                nothing,
                commandLine,
                now);
    }

    private record Place(String namespace, String name, Reading deployment, InstalledSettings settings) {}

    private Place place(Reading mutating, Reading validating) throws Unreadable {
        return switch (lookup.find(List.of(mutating, validating))) {
            case InstallationLookup.Known known ->
                new Place(known.namespace(), known.name(), known.deployment(), lookup.settings(known));
            case InstallationLookup.None _ -> nowhere(Reading.absent());
            case InstallationLookup.Unknown(var why, var _) -> nowhere(Reading.refused(why));
        };
    }

    private static Place nowhere(Reading deployment) {
        return new Place("", "", deployment, EffectiveSettings.of(Optional.empty(), deployment.tree()));
    }

    /** The mutating configurations of the cluster; wrong use where those of several installations are among them. */
    Reading mutating() throws Unreadable {
        var mutating = configurations("mutatingwebhookconfigurations");
        lookup.service(List.of(mutating));
        return mutating;
    }

    /** Ours of one Namespace alone, where one was named, and all others: items of a list know no kind of their own. */
    private Reading configurations(String resource) throws Unreadable {
        var reading = lookup.configurations(resource);
        var kind = reading.tree().path("kind").asText().replaceFirst("List$", "");
        reading.items().forEach(item -> ((ObjectNode) item).put("kind", kind));
        if (onlyIn.isEmpty() || !(reading.tree().path("items") instanceof ArrayNode items)) {
            return reading;
        }
        for (int i = items.size() - 1; i >= 0; i--) {
            var isElsewhere = items.get(i)
                    .path("webhooks")
                    .valueStream()
                    .filter(Installation::isOurs)
                    .map(webhook -> webhook.at("/clientConfig/service/namespace"))
                    .anyMatch(namespace ->
                            namespace.isTextual() && !namespace.asText().equals(onlyIn.get()));
            if (isElsewhere) {
                items.remove(i);
            }
        }
        return reading;
    }

    private Reading certManager(String namespace) throws Unreadable {
        var all = JsonNodeFactory.instance.objectNode();
        var items = all.putArray("items");
        for (var resource : List.of("issuers", "certificates")) {
            var list = cluster.read(in(CERT_MANAGER, namespace, resource) + SELECTED);
            if (list.isRefused()) {
                return list;
            }
            list.items().forEach(items::add);
        }
        return Reading.of(all);
    }

    /** The chart's own file. */
    private static JsonNode rights() throws Unreadable {
        return ClusterReader.parse(new ApiServer.Answer(200, PackagedFile.text("/rights.json")));
    }

    /** Of each only what is asked for: there can be thousands, each with all that it has deployed. */
    private Reading applications() throws Unreadable {
        var first = cluster.read(APPLICATIONS + "?limit=1");
        if (first.isRefused() || first.isAbsent()) {
            return first;
        }
        var all = JsonNodeFactory.instance.objectNode();
        var items = all.putArray("items");
        try {
            cluster.list(APPLICATIONS, application -> keep(application, items.addObject()), remaining -> {});
        } catch (Unreadable e) {
            return Reading.refused(words(e));
        }
        return Reading.of(all);
    }

    private static void keep(JsonNode application, ObjectNode kept) {
        for (var field : List.of("/metadata/namespace", "/metadata/name", "/spec/project")) {
            var pointer = JsonPointer.compile(field);
            kept.withObject(pointer.head())
                    .put(
                            pointer.last().getMatchingProperty(),
                            application.at(pointer).asText());
        }
    }

    /** Trouble only where nobody answers anything else either. */
    private Reading kubernetes() throws Unreadable {
        var reader = new ClusterReader(server);
        try {
            return reader.read("/version");
        } catch (Unreadable e) {
            new InstallationLookup(reader, onlyIn).configurations("mutatingwebhookconfigurations");
            return ClusterReader.reading(unanswered(e));
        }
    }

    private static ApiServer.Answer unanswered(Unreadable why) {
        return new ApiServer.Answer(500, words(why));
    }

    /** In one line, whatever kubectl says. */
    static String words(Unreadable why) {
        return String.valueOf(why.getMessage()).strip().replaceAll("\\s+", " ");
    }

    private Reading metrics() throws Unreadable {
        var answer = answering.send("GET", "/metrics", "");
        return answer.isSuccess() ? Reading.of(new TextNode(answer.text())) : ClusterReader.reading(answer);
    }

    static String in(String api, String namespace, String resource) {
        return "%s/namespaces/%s/%s".formatted(api, namespace, resource);
    }
}
