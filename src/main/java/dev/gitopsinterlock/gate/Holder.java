package dev.gitopsinterlock.gate;

import java.util.List;
import java.util.stream.Stream;

/** What a rollout waits for. */
public sealed interface Holder {

    /** In the order in which people are told; at least one. */
    List<String> names();

    /** The syncs that are waited for; none where it is something else. */
    default Syncs syncs() {
        return this instanceof Syncs syncs ? syncs : Syncs.NONE;
    }

    /**
     * Syncs: all Nodes of the rollout wait.
     *
     * @param applications names of Argo CD's Applications
     * @param kustomizations Flux's, each with its Namespace
     * @param announced those that run elsewhere, each with who announces it
     */
    record Syncs(List<String> applications, List<String> kustomizations, List<String> announced) implements Holder {

        public static final Syncs NONE = new Syncs(List.of());

        public Syncs {
            applications = List.copyOf(applications);
            kustomizations = List.copyOf(kustomizations);
            announced = List.copyOf(announced);
        }

        /** Syncs of Argo CD alone. */
        public Syncs(List<String> applications) {
            this(applications, List.of(), List.of());
        }

        /** What {@link Holder} promises, but none where there is none. */
        @Override
        public List<String> names() {
            return Stream.of(applications, kustomizations, announced)
                    .flatMap(List::stream)
                    .toList();
        }

        public boolean isEmpty() {
            return names().isEmpty();
        }

        /** These and those, at most so many of each. */
        Syncs and(Syncs others, int most) {
            return new Syncs(
                    merged(applications, others.applications, most),
                    merged(kustomizations, others.kustomizations, most),
                    merged(announced, others.announced, most));
        }

        private static List<String> merged(List<String> some, List<String> others, int most) {
            return Stream.concat(some.stream(), others.stream())
                    .distinct()
                    .limit(most)
                    .sorted()
                    .toList();
        }
    }

    /** Marked Jobs, each with its kind and Namespace: the Node that they run on waits. */
    record Jobs(List<String> names) implements Holder {
        public Jobs {
            names = List.copyOf(names);
        }
    }
}
