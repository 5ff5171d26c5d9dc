package dev.gitopsinterlock.tool.profile;

import static java.util.stream.Collectors.joining;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.tool.Delivery;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.Mark;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.Sign;
import dev.gitopsinterlock.tool.ToolMetadata;
import dev.gitopsinterlock.tool.ToolProfile;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Google's Config Sync. In GoogleContainerTools/kpt-config-sync 1.22.0, pkg/applier/applier.go applies server-side as
 * {@code configsync.gke.io}, whatever its account, and leaves what users annotate (pkg/metadata/annotations.go);
 * pkg/syncer/differ/decorations.go says which objects it manages.
 */
public final class ConfigSync {

    private static final GuidanceCode JOB_EDIT = new GuidanceCode("ConfigSyncJobEdit");
    private static final String DOMAIN = "configsync.gke.io";
    private static final String MANAGEMENT = "configmanagement.gke.io";
    private static final String RESOURCE_ID = DOMAIN + "/resource-id";
    private static final String MUTATION = "client.lifecycle.config.k8s.io/mutation";

    private static final Mark MANAGED = new Mark(
            "annotation `" + RESOURCE_ID + "` that ends with `_<kind>_<namespace>_<name>` of the object itself",
            ConfigSync::isManaged);

    public static final ToolProfile PROFILE = ToolProfile.named("Config Sync", "config-sync")
            .sendsAgainBy("let Config Sync sync again")
            .knownBy(Sign.manager(DOMAIN))
            .owns(new Ownership(MANAGED, JOB_EDIT))
            .claims(DOMAIN, MANAGEMENT)
            .reconciles()
            .delivers(Delivery.by("Config Sync", DOMAIN, Method.APPLY)
                    .shownBy(Delivery.markOf(DOMAIN)
                            .or(Delivery.markOf(MANAGEMENT))
                            .or(manifest -> manifest.hasAnnotation(MUTATION)))
                    .notEditing(ConfigSync::isLeft))
            .advises(JOB_EDIT);

    private ConfigSync() {}

    private static boolean isLeft(ToolMetadata manifest) {
        return manifest.annotation(MUTATION).equals("ignore")
                || manifest.annotation(MANAGEMENT + "/managed").equals("disabled");
    }

    /** Config Sync itself takes no object for its own that a copied annotation says is another. */
    private static boolean isManaged(ToolMetadata marks) {
        var object = marks.object();
        var kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
        var id = Stream.of(kind, ObjectMeta.namespace(object), ObjectMeta.name(object))
                .filter(part -> !part.isEmpty())
                .collect(joining("_"));
        return marks.annotation(RESOURCE_ID).endsWith("_" + id);
    }
}
