package dev.gitopsinterlock.cli;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.TextEdit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/** Writes remedies into files, and remembers what changed. */
final class Fixing {

    private static final int CONTEXT = 3;

    private final Path directory;
    private final List<String> differences = new ArrayList<>();

    /** For names that are relative to a directory. */
    Fixing(Path directory) {
        this.directory = directory;
    }

    /** Mends what it can; the others are given back. */
    List<Finding> apply(List<Finding> findings) throws IOException {
        var left = new ArrayList<Finding>();
        var byFile = new LinkedHashMap<String, List<TextEdit>>();
        for (var finding : findings) {
            var edit = finding.fix().flatMap(fix -> finding.manifest().text().with(fix));
            if (edit.isEmpty()) {
                left.add(finding);
            } else {
                byFile.computeIfAbsent(finding.place().file(), file -> new ArrayList<>())
                        .add(edit.get());
            }
        }
        for (var file : byFile.entrySet()) {
            write(file.getKey(), file.getValue());
        }
        return left;
    }

    /** The last edit first, so that the places of the others stay. */
    private void write(String file, List<TextEdit> edits) throws IOException {
        var path = directory.resolve(file);
        var before = Files.readString(path);
        var after = before;
        for (var edit : edits.stream()
                .distinct()
                .sorted(Comparator.comparingInt(TextEdit::start).reversed())
                .toList()) {
            after = edit.applyTo(after);
        }
        Files.writeString(path, after);
        var old = before.lines().toList();
        differences.addAll(UnifiedDiffUtils.generateUnifiedDiff(
                "a/" + file, "b/" + file, old, DiffUtils.diff(old, after.lines().toList()), CONTEXT));
    }

    /** As {@code diff -u} shows it. */
    List<String> differences() {
        return List.copyOf(differences);
    }
}
