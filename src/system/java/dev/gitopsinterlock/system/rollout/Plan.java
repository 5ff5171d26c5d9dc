package dev.gitopsinterlock.system.rollout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.system.rollout.Action.Apply;
import dev.gitopsinterlock.system.rollout.Action.BeginJob;
import dev.gitopsinterlock.system.rollout.Action.BeginSync;
import dev.gitopsinterlock.system.rollout.Action.Delete;
import dev.gitopsinterlock.system.rollout.Action.EndJob;
import dev.gitopsinterlock.system.rollout.Action.EndSync;
import dev.gitopsinterlock.system.rollout.Action.Move;
import dev.gitopsinterlock.system.rollout.Action.Pause;
import dev.gitopsinterlock.system.rollout.Action.RequestSync;
import dev.gitopsinterlock.system.rollout.Action.RestartController;
import dev.gitopsinterlock.system.rollout.Action.RestartReplica;
import dev.gitopsinterlock.system.rollout.Action.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What happens in a run: the same for the same seed, up to who gets ahead of whom.
 *
 * @param pools their {@code maxUnavailable}, as JSON
 * @param nodes the pool of each
 * @param lanes each is gone through step by step, all at a time
 */
record Plan(
        long seed,
        Map<String, String> pools,
        Map<String, String> nodes,
        Set<String> applications,
        List<List<Step>> lanes) {

    /** What the names of syncs begin with that run in another cluster. */
    static final String ELSEWHERE = "elsewhere-";

    /** How long new things begin; what has begun may take longer. */
    private static final long WINDOW_MILLIS = 12_000;

    static Plan draw(long seed) {
        return new Drawing(seed).plan();
    }

    /** The roles whose MachineConfigs the pool has. */
    static Set<String> roles(String pool) {
        return pool.equals("master") || pool.equals("worker") ? Set.of(pool) : Set.of("worker", pool);
    }

    /** The pool that a node with these labels follows. */
    static String poolOf(JsonNode labels) {
        return Stream.of("master", "edge", "gpu")
                .filter(role -> labels.has("node-role.kubernetes.io/" + role))
                .findFirst()
                .orElse("worker");
    }

    private static final class Drawing {

        private final long seed;
        private final Random random;
        private final Map<String, String> pools = new LinkedHashMap<>();
        private final Map<String, String> nodes = new LinkedHashMap<>();
        private final Set<String> applications = new LinkedHashSet<>();
        private final List<List<Step>> lanes = new ArrayList<>();

        private Drawing(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
        }

        private Plan plan() {
            pools.put("master", "1");
            pools.put("worker", one("1", "2", "\"50%\""));
            pools.put("edge", one("1", "2"));
            if (random.nextBoolean()) {
                pools.put("gpu", one("1", "\"100%\""));
            }
            for (var pool : pools.keySet()) {
                var count = between(1, 4);
                for (int i = 0; i < count; i++) {
                    nodes.put(pool + "-" + i, pool);
                }
            }
            var count = between(2, 4);
            for (int i = 0; i < count; i++) {
                applications.add("app-" + i);
            }
            applications.forEach(application -> lanes.add(syncs(application)));
            lanes.add(changes());
            lanes.add(pauses());
            lanes.add(moves());
            lanes.add(restarts());
            lanes.add(jobs("migrate"));
            lanes.add(jobs("backup"));
            var elsewhere = ELSEWHERE + "0";
            applications.add(elsewhere);
            lanes.add(syncs(elsewhere));
            return new Plan(seed, pools, nodes, applications, lanes);
        }

        private List<Step> syncs(String application) {
            var lane = new Lane();
            while (lane.isOpen()) {
                lane.add(between(500, 7_000), new RequestSync(application));
                lane.add(between(0, 300), new BeginSync(application));
                var kind = random.nextInt(20);
                var length = kind < 3
                        ? between(50, 200)
                        : kind < 17 ? between(300, 3_000) : (int) Limits.MAX_HOLD.toMillis() + between(1_000, 8_000);
                lane.add(length, new EndSync(application));
            }
            return lane.steps;
        }

        /** Few contents, so that a pool goes back to a rendered MachineConfig that it had before. */
        private List<Step> changes() {
            var lane = new Lane();
            var present = new ArrayList<String>();
            while (lane.isOpen()) {
                if (!present.isEmpty() && random.nextInt(4) == 0) {
                    var name = present.remove(random.nextInt(present.size()));
                    lane.add(between(200, 2_500), new Delete(name));
                } else {
                    var role = one(pools.keySet().toArray(String[]::new));
                    var name = "60-%s-%d".formatted(role, random.nextInt(2));
                    if (!present.contains(name)) {
                        present.add(name);
                    }
                    lane.add(between(200, 2_500), new Apply(name, role, one("a", "b")));
                }
            }
            return lane.steps;
        }

        private List<Step> pauses() {
            var lane = new Lane();
            while (lane.isOpen() && random.nextInt(3) > 0) {
                var pool = one(pools.keySet().toArray(String[]::new));
                lane.add(between(500, 6_000), new Pause(pool, true));
                lane.add(between(500, 2_500), new Pause(pool, false));
            }
            return lane.steps;
        }

        private List<Step> moves() {
            var lane = new Lane();
            var movable = nodes.keySet().stream()
                    .filter(node -> node.startsWith("worker"))
                    .toList();
            var moved = new HashSet<String>();
            while (lane.isOpen() && random.nextInt(3) > 0) {
                var node = one(movable.toArray(String[]::new));
                var in = moved.add(node);
                if (!in) {
                    moved.remove(node);
                }
                lane.add(between(500, 5_000), new Move(node, "edge", in));
            }
            return lane.steps;
        }

        /** A few that take longer than any hold. */
        private List<Step> jobs(String name) {
            var lane = new Lane();
            for (int number = 0; lane.isOpen(); number++) {
                var job = name + "-" + number;
                lane.add(
                        between(200, 4_000),
                        new BeginJob(job, one(nodes.keySet().toArray(String[]::new))));
                var length = random.nextInt(8) == 0
                        ? (int) Limits.MAX_HOLD.toMillis() + between(1_000, 5_000)
                        : between(300, 4_000);
                lane.add(length, new EndJob(job));
            }
            return lane.steps;
        }

        private List<Step> restarts() {
            var lane = new Lane();
            var count = between(1, 2);
            for (int i = 0; i < count; i++) {
                lane.add(between(500, 4_000), new RestartReplica(random.nextInt(2)));
            }
            if (random.nextInt(3) == 0) {
                lane.add(between(0, 2_000), new RestartController());
            }
            return lane.steps;
        }

        /** Both included. */
        private int between(int least, int most) {
            return random.nextInt(least, most + 1);
        }

        private String one(String... choices) {
            return choices[random.nextInt(choices.length)];
        }
    }

    private static final class Lane {

        private final List<Step> steps = new ArrayList<>();
        private long end;

        private void add(int pauseMillis, Action action) {
            steps.add(new Step(Duration.ofMillis(pauseMillis), action));
            end += pauseMillis;
        }

        /** Whether something new may begin. */
        private boolean isOpen() {
            return end < WINDOW_MILLIS;
        }
    }
}
