package dev.gitopsinterlock.testing.client;

import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Texts;
import java.nio.file.Path;

/** A copy of a chart of {@code examples/}, in which a test makes the changes that people make. */
public record Chart(Path folder) {

    /** A new copy in a folder that need not exist. */
    public static Chart copy(Example example, Path folder) {
        var chart = new Chart(folder);
        example.texts("").forEach(chart::write);
        return chart;
    }

    /** Every occurrence in the file, of which there is at least one. */
    public void edit(String file, String old, String replacement) {
        var text = text(file);
        if (!text.contains(old)) {
            throw new IllegalArgumentException(file + " does not say " + old);
        }
        write(file, text.replace(old, replacement));
    }

    /** The Pods of the template's Job get the labels that tell the test bed how they end. */
    public void labelPods(String template, String labels) {
        edit(template, "  template:\n", "  template:\n    metadata: {labels: {" + labels + "}}\n");
    }

    public void write(String file, String text) {
        Texts.write(folder.resolve(file), text);
    }

    public String text(String file) {
        return new Example(folder).text(file);
    }
}
