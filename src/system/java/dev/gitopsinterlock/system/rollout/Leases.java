package dev.gitopsinterlock.system.rollout;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;

/** Syncs that run elsewhere, each of which a Lease announces. */
final class Leases {

    static final String NAMESPACE = "announced";

    /** Longer than a sync of a run. */
    private static final Duration VALID = Duration.ofMinutes(10);

    private final ControlPlane controlPlane;

    Leases(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        controlPlane.createNamespace(NAMESPACE);
    }

    /** The revision with which it is there. */
    long announce(String sync) {
        var now = ZonedDateTime.now(ZoneOffset.UTC);
        var lease = new LeaseBuilder()
                .withNewMetadata()
                .withName(sync)
                .addToLabels("gitops-interlock.dev/hold-rollouts", "true")
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("hub")
                .withLeaseDurationSeconds((int) VALID.toSeconds())
                .withAcquireTime(now)
                .withRenewTime(now)
                .endSpec()
                .build();
        return Long.parseLong(all().resource(lease).create().getMetadata().getResourceVersion());
    }

    void renew(String sync) {
        all().withName(sync)
                .edit(lease -> new LeaseBuilder(lease)
                        .editSpec()
                        .withRenewTime(ZonedDateTime.now(ZoneOffset.UTC))
                        .endSpec()
                        .build());
    }

    /** A revision up to which it was there. */
    long end(String sync) {
        var last = controlPlane.revision();
        all().withName(sync).delete();
        return last;
    }

    void clear() {
        all().delete();
    }

    private NonNamespaceOperation<Lease, ?, Resource<Lease>> all() {
        return controlPlane.admin().leases().inNamespace(NAMESPACE);
    }
}
