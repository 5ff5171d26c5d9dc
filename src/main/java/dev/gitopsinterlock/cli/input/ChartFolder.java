package dev.gitopsinterlock.cli.input;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A chart's source.
 *
 * @param folder as it was named
 * @param name of the chart
 */
public record ChartFolder(Path folder, String name) {

    private static final String DESCRIPTION = "Chart.yaml";
    private static final String TEMPLATES = "templates";
    private static final Pattern NAME = Pattern.compile("^name:[ \\t]*[\"']?([^\"'\\s#]+)", Pattern.MULTILINE);

    /**
     * What is in a folder.
     *
     * @param directory that the name is relative to
     */
    public static ChartFolder at(Path directory, Path folder) throws Unreadable {
        var description = directory.resolve(folder).resolve(DESCRIPTION);
        try {
            var name =
                    NAME.matcher(Files.isRegularFile(description, NOFOLLOW_LINKS) ? Files.readString(description) : "");
            if (!name.find()) {
                throw Unreadable.wrongUse("there is no chart in " + folder);
            }
            return new ChartFolder(folder, name.group(1));
        } catch (IOException e) {
            throw Unreadable.trouble("cannot read " + description + ": " + e);
        }
    }

    /**
     * The file of one of its templates; empty for another chart's.
     *
     * @param source as Helm writes it, with the charts around it
     */
    public Optional<Path> template(String source) {
        var beginning = name + "/" + TEMPLATES + "/";
        var at = ("/" + source).lastIndexOf("/" + beginning);
        if (at < 0) {
            return Optional.empty();
        }
        var templates = folder.resolve(TEMPLATES);
        var file = templates.resolve(source.substring(at + beginning.length())).normalize();
        return file.startsWith(templates.normalize()) ? Optional.of(file) : Optional.empty();
    }

    /** Whether a file is a template itself. */
    public static boolean isTemplate(Path file) {
        for (var around = file.getParent(); around != null; around = around.getParent()) {
            if (around.endsWith(TEMPLATES)) {
                return Files.exists(around.resolveSibling(DESCRIPTION));
            }
        }
        return false;
    }
}
