package dev.gitopsinterlock.job.effect;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.job.Containers;
import dev.gitopsinterlock.job.ImmutableJobFields;
import dev.gitopsinterlock.patch.PatchBuilder;

/**
 * Values that the API server chose for the old Job because of other values, which change now: it chooses again for the
 * new one, as it would after a delete and a create of the client's manifest. Only what that manifest surely lacks is
 * taken out; where nobody can tell, it stays.
 */
final class ChosenDefaults {

    private ChosenDefaults() {}

    /**
     * Takes them out.
     *
     * @param job what is to be created
     */
    static void takeOut(Change change, PatchBuilder job) {
        SentManifest.of(change).ifPresent(sent -> {
            takeOutOfSpec(change.before().path("spec"), job, sent);
            for (var list : Containers.LISTS) {
                takeOutOfContainers(change.before(), job, list, sent);
            }
        });
    }

    /** The API server's SetDefaults_Job. */
    private static void takeOutOfSpec(JsonNode old, PatchBuilder job, SentManifest sent) {
        var wanted = job.object().path("spec");
        if (old.has("podFailurePolicy") != wanted.has("podFailurePolicy")) {
            takeOut("podReplacementPolicy", old, job, sent);
        }
        if (old.has("backoffLimitPerIndex") != wanted.has("backoffLimitPerIndex")) {
            takeOut("backoffLimit", old, job, sent);
        }
        // both are 1 where a manifest has neither, and only there
        if (sent.has("parallelism") && !ImmutableJobFields.isIndexed(wanted)) {
            takeOut("completions", old, job, sent);
        } else if (!wanted.has("completions")) {
            takeOut("parallelism", old, job, sent);
        }
    }

    private static void takeOut(String field, JsonNode old, PatchBuilder job, SentManifest sent) {
        var at = PatchBuilder.at("spec", field);
        if (!sent.has(field) && old.path(field).equals(job.object().at(at))) {
            job.remove(at);
        }
    }

    private static void takeOutOfContainers(JsonNode live, PatchBuilder job, String list, SentManifest sent) {
        var at = PatchBuilder.at("spec", "template", "spec", list);
        var containers = job.object().at(at);
        var fresh = JsonNodeFactory.instance.arrayNode();
        for (var container : containers) {
            var old = Containers.named(live.at(at), container.path("name").asText());
            fresh.add(fresh(old, container, list, sent));
        }
        if (!fresh.equals(containers) && containers.isArray()) {
            job.set(at, fresh);
        }
    }

    /** SetDefaults_Container and SetDefaults_Pod. */
    private static JsonNode fresh(JsonNode old, JsonNode container, String list, SentManifest sent) {
        var name = container.path("name").asText();
        var fresh = new PatchBuilder(container);
        var policy = "imagePullPolicy";
        if (!old.path("image").equals(container.path("image"))
                && old.path(policy).equals(container.path(policy))
                && !sent.has(list, name, policy)) {
            fresh.remove(PatchBuilder.at(policy));
        }
        var requests = PatchBuilder.at("resources", "requests");
        var limits = container.path("resources").path("limits");
        for (var limit : old.path("resources").path("limits").properties()) {
            var resource = limit.getKey();
            var oldLimit = limit.getValue();
            var request = requests.appendProperty(resource);
            if (!oldLimit.equals(limits.path(resource))
                    && oldLimit.equals(container.at(request))
                    && oldLimit.equals(old.at(request))
                    && !sent.has(list, name, "resources", "requests", resource)) {
                fresh.remove(request);
            }
        }
        if (!fresh.patch().isEmpty() && fresh.object().at(requests).isEmpty()) {
            fresh.remove(requests);
        }
        return fresh.object();
    }
}
