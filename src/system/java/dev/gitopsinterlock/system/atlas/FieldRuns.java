package dev.gitopsinterlock.system.atlas;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Texts;
import java.lang.Runtime.Version;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The runs that the atlas tells of: of each kind the largest on each version of Kubernetes. */
public record FieldRuns(NavigableMap<Version, TreeMap<String, FieldRun>> byVersion) {

    private static final Path KEPT = EvidenceFiles.KEPT.resolve("fields");
    private static final Path LAST = Project.directory().resolve("target/evidence-of-fields");

    /** Leaves a run for {@link #withLast}. */
    public static void leave(String version, String kind, FieldRun run) {
        Texts.write(LAST.resolve(version).resolve(kind + ".json"), EvidenceFiles.written(run));
    }

    static FieldRuns read() {
        return new FieldRuns(EvidenceFiles.byVersion(KEPT, new TypeReference<>() {}));
    }

    /** Keeps what the last runs have left, but of a kind nothing that is smaller than what is kept. */
    FieldRuns withLast() {
        for (var folder : EvidenceFiles.in(LAST)) {
            var kept =
                    byVersion.computeIfAbsent(Version.parse(folder.getFileName().toString()), first -> new TreeMap<>());
            for (var file : EvidenceFiles.in(folder)) {
                kept.merge(
                        EvidenceFiles.name(file),
                        EvidenceFiles.parsed(file, new TypeReference<FieldRun>() {}),
                        (old, last) -> last.number(FieldRun.EDITS) < old.number(FieldRun.EDITS) ? old : last);
            }
        }
        byVersion.forEach(
                (version, kinds) -> Texts.write(KEPT.resolve(version + ".json"), EvidenceFiles.written(kinds)));
        return this;
    }

    /** A run and the version that it ran on. */
    record Seen(Version version, FieldRun run) {}

    /** On the newest patch of a minor version on which there was one. */
    Optional<Seen> of(String minor, String kind) {
        return byVersion.entrySet().stream()
                .filter(version -> isOf(version.getKey(), minor))
                .flatMap(version ->
                        Optional.ofNullable(version.getValue().get(kind))
                                .map(run -> new Seen(version.getKey(), run))
                                .stream())
                .findFirst();
    }

    static boolean isOf(Version version, String minor) {
        return minor.equals(version.feature() + "." + version.interim());
    }
}
