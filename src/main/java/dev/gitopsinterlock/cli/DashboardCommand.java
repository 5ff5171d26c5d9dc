package dev.gitopsinterlock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.cluster.ClusterOptions;
import dev.gitopsinterlock.cli.cluster.InstallationLookup;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.Known;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.None;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.Unknown;
import dev.gitopsinterlock.cli.cluster.InstallationOption;
import dev.gitopsinterlock.cli.cluster.PortForward;
import dev.gitopsinterlock.cli.cluster.Replicas;
import dev.gitopsinterlock.cli.input.Program;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.output.Escape;
import dev.gitopsinterlock.config.EffectiveSettings;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Opens a replica's status page, by a port that kubectl forwards. */
@Command(
        name = "dashboard",
        description = {
            "Prints an address of 127.0.0.1 that leads to gitops-interlock's status page, until Ctrl-C. In its Namespace you"
                    + " need the rights to list pods and to create pods/portforward, and, to find the replica that was"
                    + " asked most, to get pods/proxy.",
            ""
        },
        footer = {"  kubectl interlock dashboard", "  gitops-interlock dashboard --context prod --open"},
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"2:wrong use", "3:there is no such page, or no way to it any more"})
final class DashboardCommand extends Subcommand {

    private static final int MANAGEMENT = 9000;
    private static final Duration A_SECOND = Duration.ofSeconds(1);
    private static final Duration A_ROLLOUT = Duration.ofMinutes(2);

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private InstallationOption installation;

    @Option(
            names = "--pod",
            paramLabel = "NAME",
            description = "The replica, which has a page of its own; by default the one that was asked most.")
    private @Nullable String pod;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "The port of 127.0.0.1; a free one by default.")
    private int port;

    @Option(names = "--open", description = "Opens the page in your browser, too.")
    private boolean isOpened;

    DashboardCommand() {}

    @Override
    public Integer call() throws Unreadable {
        var deployment = deployment();
        if (EffectiveSettings.of(Optional.empty(), deployment)
                .word("status-page")
                .equals("Disabled")) {
            throw Unreadable.trouble("the status page is switched off: statusPage is Disabled");
        }
        var management = managementPort(deployment);
        var replicas = new Replicas(cluster.reader(), deployment, management);
        var address = Optional.<URI>empty();
        var before = Optional.<String>empty();
        do {
            if (address.isPresent()) {
                LockSupport.parkNanos(A_SECOND.toNanos()); // whatever ends it at once must not do so without a pause
            }
            var ready = pod == null ? ready(replicas, address.isPresent()) : List.of(pod);
            var gone = before;
            address = new PortForward(
                            cluster.kubectl(),
                            ObjectMeta.namespace(deployment),
                            "pod/" + ready.getFirst(),
                            address.map(URI::getPort).orElse(port),
                            management)
                    .run(there -> opened(there, ready, gone));
            before = Optional.of(ready.getFirst());
        } while (address.isPresent() && pod == null);
        if (address.isPresent()) {
            throw Unreadable.trouble("Replica %s is gone, or no longer leads to its page".formatted(pod));
        }
        return ExitCode.NOTHING_FOUND;
    }

    /** At least one; in a rollout it may take a while until there is one again. */
    private static List<String> ready(Replicas replicas, boolean isAwaited) throws Unreadable {
        var until = Instant.now().plus(isAwaited ? A_ROLLOUT : Duration.ZERO);
        while (true) {
            var ready = replicas.ready();
            if (!ready.isEmpty()) {
                return ready;
            }
            if (Instant.now().isAfter(until) || Thread.currentThread().isInterrupted()) {
                throw Unreadable.trouble("no replica is ready: gitops-interlock doctor says why");
            }
            LockSupport.parkNanos(A_SECOND.toNanos());
        }
    }

    private void opened(URI address, List<String> ready, Optional<String> gone) {
        var out = out();
        if (gone.isPresent()) {
            Escape.printf(out, "Replica %s is gone; this is now %s%n", gone.get(), ready.getFirst());
            out.flush();
            return;
        }
        out.println(address);
        Escape.printf(
                out,
                "Replica %s%s%n",
                ready.getFirst(),
                ready.size() > 1
                        ? "; --pod shows another one: " + String.join(", ", ready.subList(1, ready.size()))
                        : "");
        out.println("Ctrl-C ends it.");
        out.flush();
        if (isOpened) {
            open(address.toString());
        }
    }

    /** The page is there, whatever becomes of this. */
    private void open(String address) {
        var opener = System.getProperty("os.name", "").startsWith("Mac") ? "open" : "xdg-open";
        try {
            Program.run(List.of(opener, address));
        } catch (Unreadable e) {
            errors().println(Escape.lines(String.valueOf(e.getMessage())));
            errors().flush();
        }
    }

    private JsonNode deployment() throws Unreadable {
        return switch (new InstallationLookup(cluster.reader(), installation.namespace()).find()) {
            case Known(var _, var _, var deployment)
            when deployment.isRefused() -> throw Unreadable.trouble(deployment.obstacle());
            case Known(var where, var service, var deployment)
            when deployment.isAbsent() ->
                throw Unreadable.trouble("there is no Deployment behind Service %s/%s".formatted(where, service));
            case Known(var _, var _, var deployment) -> deployment.tree();
            case None none -> throw none.problem();
            case Unknown(var why, var _) -> throw Unreadable.trouble("no installation is known: " + why);
        };
    }

    private static int managementPort(JsonNode deployment) {
        return deployment
                .at("/spec/template/spec/containers")
                .valueStream()
                .flatMap(container -> container.path("ports").valueStream())
                .filter(each -> each.path("name").asText().equals("management"))
                .mapToInt(each -> each.path("containerPort").asInt())
                .findFirst()
                .orElse(MANAGEMENT);
    }
}
