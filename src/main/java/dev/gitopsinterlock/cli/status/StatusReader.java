package dev.gitopsinterlock.cli.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.announced.AnnouncedHold;
import dev.gitopsinterlock.argocd.ProgressiveSync;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.argocd.SourceNamespaces;
import dev.gitopsinterlock.argocd.SyncScope;
import dev.gitopsinterlock.cli.cluster.ClusterReader;
import dev.gitopsinterlock.cli.cluster.InstallationLookup;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.Known;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.None;
import dev.gitopsinterlock.cli.cluster.InstallationLookup.Unknown;
import dev.gitopsinterlock.cli.cluster.PartialReader;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.config.EffectiveSettings;
import dev.gitopsinterlock.config.Settings;
import dev.gitopsinterlock.flux.Reconciliation;
import dev.gitopsinterlock.gate.MarkedPods;
import dev.gitopsinterlock.makers.KnownMaker;
import dev.gitopsinterlock.status.Blocked;
import dev.gitopsinterlock.status.FailedComparisons;
import dev.gitopsinterlock.status.ForgottenSync;
import dev.gitopsinterlock.status.HeldRollouts;
import dev.gitopsinterlock.status.HeldRollouts.MarkedNode;
import dev.gitopsinterlock.status.InstalledPolicy;
import dev.gitopsinterlock.status.NamespacePolicy;
import dev.gitopsinterlock.status.ObservedRollout;
import dev.gitopsinterlock.status.RecentEdit;
import dev.gitopsinterlock.status.Status;
import dev.gitopsinterlock.status.Subject;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** One look at a cluster. Blocks. */
public final class StatusReader {

    private static final Duration LATELY = Duration.ofHours(24);
    private static final Set<String> FIRST_REFUSALS = Set.of("RolloutHeld", ObservedRollout.BEGINS);

    /** Defaults; but what a Namespace asks for may well be switched on. */
    private static final Settings UNKNOWN = Settings.of(Map.of(
            "replacement.enabled",
            "true",
            "replacement.allow-job-annotations",
            "true",
            "caller-token",
            EffectiveSettings.ANY_TOKEN));

    /** Where nothing is installed, nothing is held. */
    private static final Settings NONE = Settings.of(Map.of("machine-configs.sync-hold", "Disabled"));

    private static final String JOBS = "/apis/batch/v1/jobs";

    private static final String MARKED_PODS = "/api/v1/pods?labelSelector="
            + URLEncoder.encode(MarkedPods.SELECTOR, UTF_8)
            + "&fieldSelector="
            + URLEncoder.encode("status.phase!=Succeeded,status.phase!=Failed", UTF_8);

    private final ClusterReader cluster;
    private final PartialReader reader;
    private final GuidancePages pages;
    private final Instant now;

    private boolean isKnown = true;
    private final List<Blocked> blocked = new ArrayList<>();

    private final FailedComparisons failedComparisons = new FailedComparisons();

    private final List<ForgottenSync> forgotten = new ArrayList<>();
    private final List<RecentEdit> edits = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    private final List<ObservedRollout> observations = new ArrayList<>();
    private final ListedObjects listed;
    private Optional<List<MarkedNode>> marked = Optional.empty();

    /** When rollouts were first refused, or would have been, as Events tell. */
    private final Map<Subject, TreeSet<Instant>> refusals = new HashMap<>();

    private StatusReader(ClusterReader cluster, GuidancePages pages, Instant now) {
        this.cluster = cluster;
        this.reader = new PartialReader(cluster);
        this.listed = new ListedObjects(reader);
        this.pages = pages;
        this.now = now;
    }

    /**
     * What a cluster shows now. Fails only where the cluster does not answer at all.
     *
     * @param namespace of the installation, where there are several
     */
    public static Status read(ClusterReader cluster, Optional<String> namespace, GuidancePages pages, Instant now)
            throws Unreadable {
        if (cluster.get("/version").isEmpty()) {
            throw Unreadable.trouble("this is no Kubernetes API server");
        }
        return new StatusReader(cluster, pages, now).read(namespace);
    }

    private Status read(Optional<String> namespace) throws Unreadable {
        var known = installed(namespace);
        var installed = known.orElse(NONE);
        reader.list("Events", "/apis/events.k8s.io/v1/events", this::event);
        var applications = syncs();
        var progressive = progressive(installed);
        var sources = sources(installed);
        var reconciliations = reconciliations(installed);
        var announced = announced(installed.gate().scope());
        var syncs = applications.map(running -> Stream.of(running, progressive, reconciliations, announced)
                .flatMap(List::stream)
                .map(sync -> sources.resolve(sync, installed.gate().scope()))
                .toList());
        blocked("HelmReleases", "/apis/helm.toolkit.fluxcd.io/v2/helmreleases", "HelmRelease");
        var makers = KnownMaker.of(installed.restartMakers(), listed);
        var wanted = makers.lists();
        listed.list(
                "Jobs",
                JOBS,
                wanted,
                job -> RecentEdit.ofJob(job).filter(this::isRecent).ifPresent(edits::add));
        var policies = new ArrayList<NamespacePolicy>();
        if (known.isPresent()) {
            reader.list(
                    "Namespaces",
                    "/api/v1/namespaces",
                    each -> policies.add(NamespacePolicy.of(each, installed.levels(), pages)));
        }
        var broken = policies.stream()
                .filter(NamespacePolicy::isBreakGlassOn)
                .map(NamespacePolicy::namespace)
                .toList();
        if (!broken.isEmpty()) {
            notes.add(
                    "break glass is on, so nothing is judged: in %s; in the whole cluster if gitops-interlock runs there"
                            .formatted(String.join(", ", broken)));
        }
        wanted.stream()
                .filter(kind -> !kind.path().equals(JOBS))
                .forEach(kind -> listed.list(kind.kind() + "s", kind.path(), wanted, object -> {}));
        var rollouts = new HeldRollouts(installed.gate(), makers, syncs, this::marked, new Ages()).at(now);
        if (!reader.absent().isEmpty()) {
            notes.add("not installed in this cluster: " + String.join(", ", reader.absent()));
        }
        return new Status(
                now,
                blocked,
                forgotten,
                rollouts,
                observations,
                edits,
                known.map(this::policy),
                policies,
                reader.unread(),
                notes);
    }

    /** The settings of the installation; empty where nothing is installed. */
    private Optional<Settings> installed(Optional<String> namespace) throws Unreadable {
        var lookup = new InstallationLookup(cluster, namespace);
        switch (lookup.find()) {
            case Known known -> {
                var deployment = known.deployment();
                if (!deployment.isRefused() && !deployment.isAbsent()) {
                    return Optional.of(Settings.of(lookup.settings(known).words()));
                }
                if (deployment.isRefused()) {
                    reader.unread().add("default settings are assumed: " + deployment.obstacle());
                } else {
                    notes.add("there is no Deployment behind Service %s/%s, so default settings are assumed"
                            .formatted(known.namespace(), known.name()));
                }
            }
            case Unknown(var why, var isRefused) ->
                (isRefused ? reader.unread() : notes).add("default settings are assumed: " + why);
            case None none when namespace.isPresent() -> throw none.problem();
            case None none -> {
                notes.add(String.valueOf(none.problem().getMessage()));
                return Optional.empty();
            }
        }
        isKnown = false;
        return Optional.of(UNKNOWN);
    }

    private InstalledPolicy policy(Settings settings) {
        return new InstalledPolicy(isKnown, settings.levels(), settings.objectLevels(), settings.gate());
    }

    private Optional<List<RunningSync>> syncs() {
        var syncs = new ArrayList<RunningSync>();
        var isKnown = reader.list("Applications", "/apis/argoproj.io/v1alpha1/applications", application -> {
            RunningSync.of(application).ifPresent(syncs::add);
            Blocked.of("Application", application).ifPresent(blocked::add);
            failedComparisons.forgottenBy(application).ifPresent(forgotten::add);
        });
        return isKnown ? Optional.of(syncs) : Optional.empty();
    }

    private List<RunningSync> progressive(Settings installed) {
        var running = new ArrayList<RunningSync>();
        if (installed.holdsForApplicationSets()) {
            reader.list(
                    "ApplicationSets",
                    "/apis/argoproj.io/v1alpha1/applicationsets",
                    applicationSet -> ProgressiveSync.of(applicationSet).ifPresent(running::add));
        }
        return running;
    }

    private SourceNamespaces sources(Settings installed) {
        var labelled = new ArrayList<JsonNode>();
        if (installed.countsSourceNamespaces()) {
            reader.list(
                    "source Namespaces of Argo CD",
                    "/api/v1/namespaces?labelSelector=" + URLEncoder.encode(SourceNamespaces.LABEL, UTF_8),
                    labelled::add);
        }
        return SourceNamespaces.of(labelled.stream());
    }

    private List<RunningSync> reconciliations(Settings installed) {
        var running = new ArrayList<RunningSync>();
        reader.list("Kustomizations", "/apis/kustomize.toolkit.fluxcd.io/v1/kustomizations", kustomization -> {
            Blocked.of("Kustomization", kustomization).ifPresent(blocked::add);
            if (installed.holdsForKustomizations()) {
                Reconciliation.of(kustomization).ifPresent(running::add);
            }
        });
        return running;
    }

    private List<RunningSync> announced(SyncScope scope) {
        var running = new ArrayList<RunningSync>();
        for (var namespace : scope.leaseNamespaces()) {
            reader.list(
                    "Leases of Namespace " + namespace,
                    "/apis/coordination.k8s.io/v1/namespaces/%s/leases?labelSelector=%s"
                            .formatted(namespace, URLEncoder.encode(AnnouncedHold.SELECTOR, UTF_8)),
                    lease -> AnnouncedHold.of(lease)
                            .flatMap(hold -> hold.at(now, scope.maxAge()))
                            .ifPresent(running::add));
        }
        return running;
    }

    private void blocked(String what, String path, String kind) {
        reader.list(what, path, object -> Blocked.of(kind, object).ifPresent(blocked::add));
    }

    private void event(JsonNode event) {
        failedComparisons.see(event);
        RecentEdit.ofEvent(event).stream().filter(this::isRecent).forEach(edits::add);
        ObservedRollout.ofEvent(event)
                .filter(observed -> observed.at().isAfter(now.minus(LATELY)))
                .ifPresent(observations::add);
        if (FIRST_REFUSALS.contains(event.path("reason").asText())) {
            Subject.ofEvent(event)
                    .ifPresent(subject -> Timestamp.of(event.path("eventTime"))
                            .ifPresent(at -> refusals.computeIfAbsent(subject, first -> new TreeSet<>())
                                    .add(at)));
        }
    }

    private boolean isRecent(RecentEdit edit) {
        return edit.at().isAfter(now.minus(LATELY));
    }

    private List<MarkedNode> marked() {
        if (marked.isEmpty()) {
            marked = Optional.of(readMarked());
        }
        return marked.get();
    }

    private List<MarkedNode> readMarked() {
        var pods = new TreeMap<String, List<JsonNode>>();
        reader.list(
                "Pods",
                MARKED_PODS,
                pod -> pods.computeIfAbsent(pod.at("/spec/nodeName").asText(), node -> new ArrayList<>())
                        .add(pod));
        pods.remove("");
        var nodes = new ArrayList<MarkedNode>();
        pods.forEach((name, onIt) -> reader.get("/api/v1/nodes/" + name, "a Node could not be read")
                .ifPresent(node -> nodes.add(new MarkedNode(node, MarkedPods.owners(onIt.stream())))));
        nodes.removeIf(node -> node.jobs().isEmpty());
        return nodes;
    }

    private final class Ages implements HeldRollouts.Ages {

        @Override
        public Optional<Instant> created(String path) {
            return reader.get(path, "when a rollout began could not be read")
                    .flatMap(object -> Timestamp.of(object.at("/metadata/creationTimestamp")));
        }

        @Override
        public Optional<Instant> refusedSince(Subject subject, Instant created) {
            return Optional.ofNullable(
                    refusals.getOrDefault(subject, new TreeSet<>()).ceiling(created));
        }
    }
}
