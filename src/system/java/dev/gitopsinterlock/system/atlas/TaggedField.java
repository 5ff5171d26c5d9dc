package dev.gitopsinterlock.system.atlas;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.List;
import java.util.TreeMap;

/**
 * A field that the types of k8s.io/api mark as immutable, or as limited in its updates, as {@code testbed tags} prints it.
 *
 * @param tags each with the stage or gate that stands before it
 */
record TaggedField(String apiVersion, String kind, String field, List<String> tags) {

    TaggedField {
        tags = List.copyOf(tags);
    }

    /** By the minor version of Kubernetes. */
    static TreeMap<String, List<TaggedField>> read() {
        var tags = new TreeMap<String, List<TaggedField>>();
        EvidenceFiles.byVersion(EvidenceFiles.KEPT.resolve("tags"), new TypeReference<List<TaggedField>>() {})
                .forEach((version, fields) -> tags.putIfAbsent(version.feature() + "." + version.interim(), fields));
        return tags;
    }

    boolean isOf(AtlasKind other) {
        return kind.equals(other.name()) && apiVersion.equals(other.apiVersion());
    }
}
