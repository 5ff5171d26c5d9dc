package dev.gitopsinterlock.cli;

import com.github.difflib.DiffUtils;
import com.github.difflib.UnifiedDiffUtils;
import dev.gitopsinterlock.check.ChartFix;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.TextEdit;
import dev.gitopsinterlock.cli.input.ChartFolder;
import dev.gitopsinterlock.cli.input.ManifestTree;
import dev.gitopsinterlock.cli.yaml.ChartTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Writes remedies into files, and remembers what changed. */
final class Fixing {

    private static final int CONTEXT = 3;

    /** What stands around a line may be the content of a Secret beside it. */
    private static final String SECRET = "Secret";

    private final Path directory;
    private final boolean isOfFiles;
    private final Optional<ChartFolder> chart;
    private final List<String> said = new ArrayList<>();

    /**
     * For names that are relative to a directory.
     *
     * @param isOfFiles whether the manifests are files there
     * @param chart that they were rendered from
     */
    Fixing(Path directory, boolean isOfFiles, Optional<ChartFolder> chart) {
        this.directory = directory;
        this.isOfFiles = isOfFiles;
        this.chart = chart;
    }

    /** Mends what it can; the others are given back. */
    List<Finding> apply(List<Finding> findings) throws IOException {
        var left = new ArrayList<Finding>();
        var byFile = new LinkedHashMap<String, List<TextEdit>>();
        for (var finding : findings) {
            var file = finding.place().file();
            var isWritten = isFile(finding) && !isBehindLink(file);
            var edit = finding.fix()
                    .filter(fix -> isWritten)
                    .flatMap(fix -> finding.manifest().text().with(fix));
            if (edit.isPresent()) {
                byFile.computeIfAbsent(file, name -> new ArrayList<>()).add(edit.get());
            } else if (!isFixedInChart(finding)) {
                left.add(finding);
            }
        }
        for (var file : byFile.entrySet()) {
            write(file.getKey(), file.getValue());
        }
        return left;
    }

    /** What was rendered is none, whatever it is called. */
    private boolean isFile(Finding finding) {
        return isOfFiles && !ManifestTree.isRendered(finding.manifest().path());
    }

    /** Whether a file is elsewhere than its name says: the difference is to name what is written. */
    private boolean isBehindLink(String file) {
        // above what the caller named as a whole, a link is the caller's
        return Stream.iterate(Path.of(file), path -> path != null, path -> path.isAbsolute() ? null : path.getParent())
                .anyMatch(path -> Files.isSymbolicLink(directory.resolve(path)));
    }

    private boolean isFixedInChart(Finding finding) throws IOException {
        var fix = ChartFix.of(finding.code());
        var template = template(finding);
        if (fix.isEmpty()
                || template.isEmpty()
                || !Files.isRegularFile(directory.resolve(template.get()))
                || isBehindLink(template.get().toString())) {
            return false;
        }
        var before = Files.readString(directory.resolve(template.get()));
        var after = ChartTemplate.with(before, fix.get().annotations());
        if (after.isEmpty()) {
            return false;
        }
        write(template.get().toString(), before, after.get());
        said.add(finding.object() + " " + fix.get().effect());
        return true;
    }

    private Optional<Path> template(Finding finding) {
        var file = Path.of(finding.place().file());
        return isOfFiles && ChartFolder.isTemplate(directory.resolve(file))
                ? Optional.of(file)
                : chart.flatMap(folder -> finding.manifest().text().source().flatMap(folder::template));
    }

    /** The last edit first, so that the places of the others stay. */
    private void write(String file, List<TextEdit> edits) throws IOException {
        var before = Files.readString(directory.resolve(file));
        var after = before;
        for (var edit : edits.stream()
                .distinct()
                .sorted(Comparator.comparingInt(TextEdit::start).reversed())
                .toList()) {
            after = edit.applyTo(after);
        }
        write(file, before, after);
    }

    private void write(String file, String before, String after) throws IOException {
        Files.writeString(directory.resolve(file), after);
        var old = before.lines().toList();
        said.addAll(UnifiedDiffUtils.generateUnifiedDiff(
                "a/" + file,
                "b/" + file,
                old,
                DiffUtils.diff(old, after.lines().toList()),
                before.contains(SECRET) ? 0 : CONTEXT));
    }

    /** What changed, as {@code diff -u} shows it, and what that means. */
    List<String> said() {
        return List.copyOf(said);
    }

    /** What to do about findings that it could not mend, each line once. */
    Set<String> leftToYou(List<Finding> left) {
        var words = new LinkedHashSet<String>();
        for (var finding : left) {
            words.add("--fix leaves " + finding.code() + " to you: " + whyLeft(finding));
        }
        return words;
    }

    private String whyLeft(Finding finding) {
        var file = finding.place().file();
        if (finding.fix().isPresent()) {
            var line = finding.fix().get().annotation() + ": "
                    + finding.fix().get().value();
            return !isFile(finding)
                    ? "write " + line + " into what " + finding.object() + " is rendered from"
                    : isBehindLink(file)
                            ? "a link leads to " + file
                            : "write " + line + " into " + finding.object()
                                    + "; an anchor, a merge key or a text block is in the way";
        }
        return ChartFix.of(finding.code())
                .map(fix -> (chart.isPresent() ? "" : "name the chart with --chart; where ")
                        + "its template is not plain enough, or somebody else's"
                        + (chart.isPresent() ? ": " : ", ")
                        + "write into the Job's annotations: " + fix.lines())
                .orElse("what helps there is no annotation");
    }
}
