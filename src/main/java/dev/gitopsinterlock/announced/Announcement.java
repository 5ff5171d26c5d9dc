package dev.gitopsinterlock.announced;

import static java.util.Comparator.comparing;
import static java.util.Comparator.reverseOrder;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a hub tells a cluster of a sync that goes there: a Lease that {@link AnnouncedHold} reads.
 *
 * @param name of the Lease: the Application's, and its Namespace's
 * @param begun when the sync began, by the hub's clock; empty where nothing tells
 * @param isOnlyObserved whether nothing waits for it
 */
public record Announcement(String name, Optional<Instant> begun, boolean isOnlyObserved) {

    /** How long it is believed without a renewal. */
    public static final Duration DURATION = Duration.ofSeconds(60);

    private static final String BY = "gitops-interlock.dev/announced-by";
    private static final String HUB = "hub";

    /** What finds those of any hub. */
    public static final String SELECTOR = BY + "=" + HUB + "," + AnnouncedHold.SELECTOR;

    /** One holds as well as all. */
    private static final int MOST = 100;

    private static final int LONGEST_NAME = 63;

    /** Of two with one name the first counts. */
    private static final Comparator<Announcement> ORDER = comparing(Announcement::isOnlyObserved)
            .thenComparing(Announcement::name)
            .thenComparing(each -> each.begun().orElse(Instant.MAX), reverseOrder());

    /** Of the form that the API server reads. */
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    /** All that a cluster is told of these syncs, each name once; of very many only some, those that hold first. */
    public static List<Announcement> of(Stream<RunningSync> syncs) {
        return syncs
                .map(sync -> new Announcement(name(sync), sync.begun(), sync.isOnlyObserved()))
                .collect(Collectors.toMap(Announcement::name, Function.identity(), BinaryOperator.minBy(ORDER)))
                .values()
                .stream()
                .sorted(ORDER)
                .limit(MOST)
                .toList();
    }

    /**
     * The Lease, renewed now. All its times are by the cluster's clock, so that it does not matter what the hub's says.
     *
     * @param here now by the hub's clock
     * @param there now by the cluster's
     */
    public ObjectNode lease(Instant here, Instant there) {
        var lease = JsonNodeFactory.instance.objectNode();
        lease.put("apiVersion", ResourceType.LEASE.apiVersion()).put("kind", ResourceType.LEASE.kind());
        var metadata = lease.putObject("metadata").put("name", name);
        metadata.putObject("labels")
                .put(AnnouncedHold.LABEL, AnnouncedHold.HOLDS)
                .put(BY, HUB);
        if (isOnlyObserved) {
            metadata.putObject("annotations").put(SyncHold.SETTING.annotation(), SyncHold.OBSERVE.configValue());
        }
        var spec = lease.putObject("spec")
                .put("holderIdentity", HUB)
                .put("leaseDurationSeconds", (int) DURATION.toSeconds())
                .put("renewTime", MICRO_TIME.format(there));
        begun.map(begin -> Duration.between(begin, here))
                .map(age -> age.isNegative() ? there : there.minus(age))
                .ifPresent(acquired -> spec.put("acquireTime", MICRO_TIME.format(acquired)));
        return lease;
    }

    /** No two have the same: a Namespace's name has no dot. */
    private static String name(RunningSync sync) {
        var name = sync.name() + "." + sync.namespace();
        return name.length() <= LONGEST_NAME
                ? name
                : "%s-%08x".formatted(name.substring(0, LONGEST_NAME - 9).replaceFirst("[.-]+$", ""), name.hashCode());
    }
}
