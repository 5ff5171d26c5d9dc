package dev.gitopsinterlock.testing.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.text.Example;
import dev.gitopsinterlock.testing.text.Trees;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Helm 4 in the place of Fleet's agent, which has it inside and cannot be built here: run with the agent's account, field
 * manager, marks and options, as Fleet 0.16 does. It neither tries again by itself nor compares afterwards.
 */
public final class FleetAgent {

    private static final String NAMESPACE = "cattle-fleet-system";

    private final Path kubeconfig;
    private final Workspace workspace;
    private final Path home;
    private boolean installed;

    private FleetAgent(Path kubeconfig, Workspace workspace, Path home) {
        this.kubeconfig = kubeconfig;
        this.workspace = workspace;
        this.home = home;
    }

    /**
     * With all rights.
     *
     * @param home where it keeps what it remembers outside the cluster
     */
    public static FleetAgent of(ControlPlane kubernetes, Workspace workspace, Path home) {
        return new FleetAgent(kubernetes.kubeconfig(NAMESPACE, "fleet-agent"), workspace, home);
    }

    public static String words() {
        return "Fleet's agent, played by " + Helm.HELM_4;
    }

    /** Brings a bundle with a fleet.yaml to the cluster: renders it for a trial, then installs or upgrades it. */
    public Command.Result deploy(Chart bundle) {
        var settings = Trees.fromYaml(bundle.text("fleet.yaml")).path("helm");
        var name = settings.path("releaseName").asText();
        var chart = Chart.copy(new Example(bundle.folder()), home.resolve("bundle"));
        mark(chart, "default-" + name);
        chart.write("values.yaml", Trees.yaml(settings.path("values")));

        var arguments = new ArrayList<String>();
        arguments.addAll(
                List.of(installed ? "upgrade" : "install", name, chart.folder().toString()));
        arguments.addAll(options(settings));
        arguments.add("--dry-run=client");
        run(arguments).orFail();
        arguments.removeLast();
        var answer = run(arguments);
        installed |= answer.exitCode() == 0;
        return answer;
    }

    private List<String> options(JsonNode settings) {
        var options = new ArrayList<String>();
        if (installed) {
            options.addAll(List.of("--take-ownership", "--history-max=2"));
        }
        if (settings.path("force").asBoolean()) {
            options.addAll(List.of("--force-replace", "--server-side=false"));
        }
        return options;
    }

    private Command.Result run(List<String> arguments) {
        return Helm.run(Tool.program("fleetagent"), kubeconfig, workspace, home, arguments.toArray(String[]::new));
    }

    /** What the agent's post-renderer adds to every object. */
    private static void mark(Chart chart, String id) {
        for (var template : new Example(chart.folder()).texts("templates").keySet()) {
            chart.edit("templates/" + template, "\nmetadata:\n", """

                    metadata:
                      labels: {objectset.rio.cattle.io/hash: "%s"}
                      annotations: {objectset.rio.cattle.io/id: "%s"}
                    """.formatted(hash(id), id));
        }
    }

    private static String hash(String id) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(id.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
