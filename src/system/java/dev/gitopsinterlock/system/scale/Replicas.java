package dev.gitopsinterlock.system.scale;

import dev.gitopsinterlock.testing.service.Interlock;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Replicas of the service, all of which are ready. */
final class Replicas implements AutoCloseable {

    private final List<Interlock> all;

    Replicas(int count, Interlock.Builder settings) {
        all = Stream.generate(settings::launch).limit(count).toList();
        all.forEach(Interlock::awaitReady);
    }

    Interlock[] all() {
        return all.toArray(Interlock[]::new);
    }

    /** Of all together. */
    double cpuSeconds() {
        return sum(Usage::cpuSeconds);
    }

    /** Of all together. */
    double residentMebibytes() {
        return sum(Usage::residentMebibytes);
    }

    private double sum(ToDoubleFunction<Usage> figure) {
        return all.stream()
                .map(each -> Usage.of(each.process()))
                .mapToDouble(figure)
                .sum();
    }

    @Override
    public void close() {
        all.forEach(Interlock::close);
    }
}
