package dev.gitopsinterlock.build.image;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A package of Debian or a distribution made from it, of which the image has files.
 *
 * @param control what {@code dpkg} says of it, a field a line
 * @param copyright the file that says under which licences it is, if it is there
 */
record DebianPackage(String control, Optional<Path> copyright) {

    String name() {
        return field("Package").orElseThrow();
    }

    String version() {
        return field("Version").orElseThrow();
    }

    /** As vulnerability databases know it. */
    String source() {
        return field("Source").map(source -> source.replaceFirst(" .*", "")).orElseGet(this::name);
    }

    /** As a package of an image without {@code dpkg} is recorded in var/lib/dpkg/status.d, where scanners look. */
    String status() {
        var shown = control.lines()
                .filter(line -> !line.startsWith("Status:") && !line.startsWith("Conffiles:"))
                .filter(line -> !line.startsWith(" "))
                .toList();
        return String.join("\n", shown) + "\nStatus: install ok installed\n";
    }

    /** The package's address in bills of materials. */
    String purl(String distribution) {
        return "pkg:deb/%s/%s@%s?arch=%s"
                .formatted(
                        distribution,
                        name(),
                        version().replace("+", "%2B").replace(":", "%3A"),
                        field("Architecture").orElse("all"));
    }

    private Optional<String> field(String name) {
        var found = Pattern.compile("^" + name + ": (.+)$", Pattern.MULTILINE).matcher(control);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
