package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.VERSIONS;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

final class VersionsCheck {

    /** A tag that somebody made for himself says nothing. */
    private static final Pattern TAG = Pattern.compile(":v?(\\d+\\.\\d+\\.\\d+[^@]*)");

    private static final Pattern CHART = Pattern.compile("gitops-interlock-(.+)");

    private static final String COMMAND_LINE = "this command line";
    private static final String DEPLOYMENT = "the Deployment";
    private static final String IMAGE = "the image";

    private VersionsCheck() {}

    static Diagnosis of(Installation installation) {
        var deployment = installation.deployment();
        var versions = new LinkedHashMap<String, String>();
        put(versions, COMMAND_LINE, installation.commandLine());
        put(
                versions,
                DEPLOYMENT,
                installation
                        .label(deployment.tree(), "app.kubernetes.io/version")
                        .asText());
        var chart = CHART.matcher(
                installation.label(deployment.tree(), "helm.sh/chart").asText());
        put(versions, "the chart", chart.matches() ? chart.group(1) : "");
        put(versions, IMAGE, tag(deployment.tree()));
        for (var list : new Reading[] {installation.mutating(), installation.validating()}) {
            Installation.configuration(list)
                    .ifPresent(each -> put(
                            versions,
                            installation.resource(each),
                            installation
                                    .label(each, "app.kubernetes.io/version")
                                    .asText()));
        }
        if (versions.size() < 2) {
            return Diagnosis.notChecked(VERSIONS, "nothing that is installed says its version");
        }
        return isOne(versions)
                ? Diagnosis.ok(VERSIONS, versions.values().iterator().next())
                : Diagnosis.problem(
                        VERSIONS,
                        versions.entrySet().stream()
                                .map(version -> version.getKey() + " is of " + version.getValue())
                                .collect(Collectors.joining(", ")),
                        mend(installation, versions));
    }

    /** What the chart says is what was installed; a tag is a value of its own, and this command line is elsewhere. */
    private static String mend(Installation installation, Map<String, String> versions) {
        var installed = new LinkedHashMap<>(versions);
        installed.remove(COMMAND_LINE);
        if (isOne(installed)) {
            return "use the command line of %s; the image has it, too"
                    .formatted(installed.values().iterator().next());
        }
        var tag = installed.remove(IMAGE);
        var chart = installed.get(DEPLOYMENT);
        return tag == null || chart == null || tag.equals(chart)
                ? installation.installAgain()
                : installation.change("image.tag=");
    }

    private static boolean isOne(Map<String, String> versions) {
        return Set.copyOf(versions.values()).size() == 1;
    }

    private static void put(Map<String, String> versions, String what, String version) {
        if (!version.isEmpty() && !version.equals("unknown")) {
            // what a chart's label cannot hold
            versions.put(what, version.replace('+', '_'));
        }
    }

    private static String tag(JsonNode deployment) {
        return deployment
                .at("/spec/template/spec/containers")
                .valueStream()
                .map(container -> TAG.matcher(container.path("image").asText()))
                .filter(Matcher::find)
                .map(found -> found.group(1))
                .findFirst()
                .orElse("");
    }
}
