package dev.gitopsinterlock.announced;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.Timestamp;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.argocd.RunningSync;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import dev.gitopsinterlock.policy.SyncHold;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A Lease by which somebody announces a sync that this cluster cannot see: one that a hub pushes, or a pipeline. It holds rollouts
 * only for as long as it is renewed, so that a writer that dies, or is cut off, holds nothing.
 *
 * @param namespace of the Lease
 * @param name of the Lease: what is announced
 * @param holder who announces it
 * @param syncHold what its annotation says; empty without one or where it says something unknown
 * @param acquired when the holder took it, or else when the Lease was made; empty where nothing tells
 * @param renewed when the holder renewed it, by the holder's clock
 * @param duration for which it is valid from then on; more than nothing
 */
public record AnnouncedHold(
        String namespace,
        String name,
        String holder,
        Optional<SyncHold> syncHold,
        Optional<Instant> acquired,
        Instant renewed,
        Duration duration) {

    static final String LABEL = "gitops-interlock.dev/hold-rollouts";
    static final String HOLDS = "true";

    /** What finds these Leases. */
    public static final String SELECTOR = LABEL + "=" + HOLDS;

    /** What a Lease announces; empty without the label, without a holder, and where it does not say until when. */
    public static Optional<AnnouncedHold> of(JsonNode lease) {
        var spec = lease.path("spec");
        var holder = Wording.printable(spec.path("holderIdentity").asText());
        var duration = Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong());
        if (!ObjectMeta.label(lease, LABEL).equals(HOLDS) || holder.isEmpty() || !duration.isPositive()) {
            return Optional.empty();
        }
        return Timestamp.of(spec.path("renewTime"))
                .map(renewed -> new AnnouncedHold(
                        ObjectMeta.namespace(lease),
                        ObjectMeta.name(lease),
                        holder,
                        SyncHold.SETTING.parse(ObjectMeta.annotation(lease, SyncHold.SETTING.annotation())),
                        Timestamp.of(spec.path("acquireTime"))
                                .or(() -> Timestamp.of(lease.at("/metadata/creationTimestamp"))),
                        renewed,
                        duration));
    }

    /**
     * The sync that it stands for at this moment; empty once it has expired, and where its clock is further ahead of ours than it is
     * valid for: such a clock tells nothing.
     *
     * @param longest for how long it is valid at most, whatever it says
     */
    public Optional<RunningSync> at(Instant now, Duration longest) {
        var valid = duration.compareTo(longest) < 0 ? duration : longest;
        return Duration.between(renewed, now).abs().compareTo(valid) < 0
                ? Optional.of(RunningSync.announced(
                        namespace,
                        "%s, announced by %s".formatted(Wording.cut(name), Wording.cut(holder)),
                        syncHold,
                        acquired.orElse(renewed)))
                : Optional.empty();
    }
}
