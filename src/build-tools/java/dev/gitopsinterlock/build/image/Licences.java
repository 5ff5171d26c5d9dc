package dev.gitopsinterlock.build.image;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The licences of the libraries in the image, as the bill of materials of the build (CycloneDX) names them.
 *
 * @param libraries in the order of their names
 */
public record Licences(List<Library> libraries) {

    /** Those under which a library may be part of a program under Apache-2.0. */
    private static final Set<String> COMPATIBLE = Set.of(
            "Apache-2.0",
            "BSD-2-Clause",
            "BSD-3-Clause",
            // the MIT licence, by its own name: https://www.bouncycastle.org/licence.html
            "Bouncy Castle Licence",
            "CC0-1.0",
            "EPL-1.0",
            "EPL-2.0",
            "GPL-2.0-with-classpath-exception",
            "MIT",
            "MIT-0");

    public Licences {
        libraries = List.copyOf(libraries);
    }

    /**
     * One library.
     *
     * @param name with its group and version
     * @param licences any of which may be chosen
     */
    public record Library(String name, List<String> licences) {
        public Library {
            licences = List.copyOf(licences);
        }

        /** Whether one of its licences lets it be in the image. */
        public boolean isCompatible() {
            return licences.stream().anyMatch(COMPATIBLE::contains);
        }

        private String line() {
            return "%s: %s".formatted(name, String.join(" or ", licences));
        }
    }

    /** Of a bill of materials. */
    public static Licences of(JsonNode bill) {
        return new Licences(bill.path("components")
                .valueStream()
                .map(Licences::library)
                .distinct()
                .sorted(comparing(Library::name))
                .toList());
    }

    private static Library library(JsonNode component) {
        var name = "%s:%s:%s"
                .formatted(
                        component.path("group").asText(),
                        component.path("name").asText(),
                        component.path("version").asText());
        var licences =
                component.path("licenses").valueStream().map(Licences::licence).toList();
        return new Library(name, licences);
    }

    private static String licence(JsonNode licence) {
        var id = licence.path("license").path("id").asText();
        var expression = licence.path("expression").asText();
        return !id.isEmpty()
                ? id
                : !expression.isEmpty()
                        ? expression
                        : licence.path("license").path("name").asText();
    }

    /** What the image says of what it carries. Each library's own licence and notice are in its jar. */
    String notices() {
        var lines = new ArrayList<String>();
        lines.add(
                "gitops-interlock is under the Apache License, Version 2.0 (LICENSE). It carries these libraries, each under its");
        lines.add(
                "own licence; where several are named, any of them may be chosen. Their texts and notices are in the jars, those of");
        lines.add(
                "the Java runtime in /opt/java/legal, those of the C library and of other packages in /usr/share/doc.");
        lines.add("");
        libraries.stream().map(Library::line).forEach(lines::add);
        return String.join("\n", lines) + "\n";
    }
}
