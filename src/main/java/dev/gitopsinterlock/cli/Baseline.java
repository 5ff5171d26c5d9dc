package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Findings;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.Escape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What is known and accepted: a line of text for each finding. Lines that begin with {@code #} say why, and are not
 * read.
 *
 * @param fingerprints of what is ignored
 */
record Baseline(Set<String> fingerprints) {

    private static final String COMMENT = "#";

    static Baseline of(Findings findings) {
        return new Baseline(
                findings.open().stream().map(Baseline::line).collect(Collectors.toCollection(TreeSet::new)));
    }

    static Baseline read(Path file) throws Unreadable {
        try {
            return new Baseline(Files.readAllLines(file).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith(COMMENT))
                    .collect(Collectors.toCollection(LinkedHashSet::new)));
        } catch (NoSuchFileException e) {
            throw Unreadable.wrongUse("there is no file " + file + "; --write-baseline writes one");
        } catch (IOException e) {
            throw Unreadable.trouble("cannot read " + file + ": " + e);
        }
    }

    private static String line(Finding finding) {
        return Escape.line(finding.fingerprint());
    }

    void write(Path file) throws IOException {
        var lines = new ArrayList<String>();
        lines.add("# Findings of gitops-interlock check that are ignored: code, object and fields.");
        lines.addAll(fingerprints);
        Files.write(file, lines, UTF_8);
    }

    Findings applyTo(Findings findings) {
        var byKnown = findings.open().stream()
                .collect(Collectors.partitioningBy(finding -> fingerprints.contains(line(finding))));
        return Findings.of(List.of(
                new Findings(byKnown.getOrDefault(false, List.of()), findings.ignored()),
                new Findings(List.of(), byKnown.getOrDefault(true, List.of()))));
    }
}
