package dev.gitopsinterlock.system.rollout;

import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.cluster.Registration;
import dev.gitopsinterlock.testing.service.Interlock;
import dev.gitopsinterlock.testing.service.RoundRobin;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Two replicas of the service behind one address, which are restarted as a Deployment does it. */
final class Replicas implements AutoCloseable {

    private static final String GAUGE = "gitops_interlock_syncs_running";

    private final ControlPlane controlPlane;
    private final List<Interlock> replicas = new CopyOnWriteArrayList<>();
    private final RoundRobin balancer;

    private Replicas(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        replicas.add(start());
        replicas.add(start());
        this.balancer = RoundRobin.over(replicas.toArray(Interlock[]::new));
    }

    /** Starts and registers them. */
    static Replicas in(ControlPlane controlPlane) {
        var registration = Registration.in(controlPlane);
        Registration.allow(controlPlane, "list", "pods");
        controlPlane.createNamespace(Leases.NAMESPACE);
        Registration.allowIn(controlPlane, Leases.NAMESPACE, "list,watch", "leases");
        var replicas = new Replicas(controlPlane);
        registration.of(replicas.balancer.url(), 10, replicas.replicas.toArray(Interlock[]::new));
        return replicas;
    }

    private Interlock start() {
        return Interlock.serving(controlPlane.webhookCertificates())
                .watching(controlPlane)
                .with("gitops-interlock.machine-configs.max-hold", Limits.MAX_HOLD.toString())
                .with(
                        "gitops-interlock.machine-configs.max-hold-required-pools",
                        Limits.MAX_HOLD_REQUIRED_POOLS.toString())
                .with("gitops-interlock.machine-configs.hold-for-jobs", "true")
                .with("gitops-interlock.machine-configs.lease-namespaces", Leases.NAMESPACE)
                // the API server goes on with its connections until it is told with an answer; in a cluster it has ten
                // seconds, and with two a busy one asked just when the replica ended, and let the Node go
                .with("quarkus.shutdown.delay", "5s")
                .start();
    }

    /** Out of the Service, ended; a new one that is ready, into the Service. */
    void restart(int number) {
        var old = replicas.get(number);
        balancer.remove(old);
        replicas.remove(old);
        old.close();
        var next = start();
        balancer.add(next);
        replicas.add(next);
    }

    /** Whether each of those in the Service says that so many syncs run. */
    boolean allKnow(int syncs) {
        return replicas.stream().allMatch(replica -> gauge(replica.metrics()) == syncs);
    }

    boolean areComplete() {
        return replicas.size() == 2;
    }

    private static double gauge(String metrics) {
        return metrics.lines()
                .filter(line -> line.startsWith(GAUGE + " ") || line.startsWith(GAUGE + "{"))
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .mapToDouble(Double::parseDouble)
                .findFirst()
                .orElse(-1);
    }

    @Override
    public void close() {
        balancer.close();
        replicas.forEach(Interlock::close);
    }
}
