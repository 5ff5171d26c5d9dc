package dev.gitopsinterlock.machineconfig;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which pool a Node belongs to, as the machine-config controller sees it. */
final class NodePoolResolver {

    private static final String BEFORE_CUSTOM = "master";
    private static final String AFTER_CUSTOM = "worker";

    private NodePoolResolver() {}

    /**
     * Of the pools that select a Node, master comes first, then a custom one, as arbiter is for the controller, then
     * worker. The controller leaves a Node of two custom pools alone; should it be sent somewhere all the same, it is by the pool with that target.
     *
     * @param labels of the Node
     * @param target the rendered MachineConfig that it is to have
     */
    static Optional<Pool> of(Map<String, String> labels, String target, List<Pool> pools) {
        var selecting =
                pools.stream().filter(pool -> pool.nodes().selects(labels)).toList();
        var first = named(selecting, BEFORE_CUSTOM);
        if (first.isPresent()) {
            return first;
        }
        var custom = selecting.stream()
                .filter(pool -> !pool.name().equals(AFTER_CUSTOM))
                .toList();
        return switch (custom.size()) {
            case 0 -> named(selecting, AFTER_CUSTOM);
            case 1 -> Optional.of(custom.getFirst());
            default ->
                custom.stream().filter(pool -> pool.target().equals(target)).findFirst();
        };
    }

    private static Optional<Pool> named(List<Pool> pools, String name) {
        return pools.stream().filter(pool -> pool.name().equals(name)).findFirst();
    }
}
