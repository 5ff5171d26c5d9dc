package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Edits.Edit;
import dev.gitopsinterlock.system.differential.Tally.Result;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Sends each of {@code differential.n} random edits twice: first as a dry run of an account that the registration's
 * matchConditions leave out, so that the API server alone judges it, then for real as a person, so that the service is
 * asked. Everything else about the two requests is the same, byte by byte.
 *
 * <p>Why that is sound: the API server judges a dry run like a real request and stores nothing, so the second request
 * meets the Job that the first one met, unless a controller wrote in between. The Job's resourceVersion is read before
 * the first and after the second request; an answer that tells against the service counts only if it is the same, for
 * then nothing has changed (a refused request stores nothing either). Otherwise the edit is made anew and sent again.
 *
 * <p>{@code differential.seed} gives the same Jobs and edits again; which edits meet a Job before or after its
 * controller's next write may differ.
 */
@ExtendWith(Cluster.Extension.class)
class DifferentialIT {

    private static final String NAMESPACE = "differential";
    private static final List<State> STATES = List.of(State.values());
    private static final int JOBS_AT_ONCE = 16;
    private static final int EDITS_OF_A_JOB = 10;

    /** Needs no second look: the two answers say the same. */
    private static final Set<Outcome> CLEAR = Set.of(
            Outcome.ACCEPTED,
            Outcome.ACCEPTED_WITH_OUR_WARNING,
            Outcome.OUR_WORDS,
            Outcome.OUR_WARNING,
            Outcome.OTHERWISE_REFUSED,
            Outcome.OTHERWISE_REFUSED_OUR_WORDS);

    private static final int ATTEMPTS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Cluster cluster;
    private final Wire wire;
    private final Schema schema;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", 150);
    private final Edits drawn;
    private final Tally tally = new Tally();

    DifferentialIT(Cluster cluster) {
        this.cluster = cluster;
        cluster.controlPlane().createNamespace(NAMESPACE);
        this.wire = new Wire(cluster.controlPlane(), NAMESPACE);
        this.schema = Schema.of(cluster.controlPlane());
        this.drawn = new Edits(schema, seed);
    }

    /** Nothing below means anything if the two users do not differ in this. */
    @BeforeEach
    void onlyOneOfTheUsersMeetsTheService() {
        var job = RandomJob.create(
                "probe-" + Long.toString(seed, 36), State.NEVER_STARTED, schema, new Random(seed), wire);
        var patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("managedBy", "example.com/other");
        var edit = Wire.mergePatch(job.name(), patch);
        assertThat(wire.send(User.WITHOUT_US, edit).isImmutable()).isTrue();
        assertThat(wire.send(User.WITH_US, edit).isOurWords()).isTrue();
        wire.send(User.WITH_US, Wire.delete(job.name()));
    }

    @Test
    void refusesNothingThatTheApiServerAcceptsAndExplainsWhatItRefuses() throws IOException {
        var done = 0;
        while (done < edits) {
            for (var job : jobs(done)) {
                for (int i = 0; i < EDITS_OF_A_JOB && done < edits && edit(job, done + 1); i++) {
                    done++;
                }
                wire.send(User.WITH_US, Wire.delete(job.name()));
            }
            System.out.printf("differential: %d of %d edits%n", done, edits);
        }
        report();
        assertThat(tally.of(Outcome.WRONGLY_REFUSED)).extracting(Result::detail).isEmpty();
        assertThat(tally.of(Outcome.LET_THROUGH))
                .as("edits refused as immutable without our words, of which there may be one of a thousand")
                .extracting(Result::detail)
                .hasSizeLessThanOrEqualTo(Math.max(1, edits / 1000));
    }

    /** False if the Job is gone or going, to which an edit of its TTL leads; the service never touches such a Job. */
    private boolean edit(RandomJob job, int number) {
        var plan = drawn.plan(number);
        for (int attempt = 1; true; attempt++) {
            var live = wire.send(User.WITHOUT_US, Wire.get(job.name())).body();
            if (live.path("spec").isMissingNode()
                    || live.at("/metadata/deletionTimestamp").isTextual()) {
                return false;
            }
            var result = judge(job, (ObjectNode) live, drawn.edit(plan, (ObjectNode) live));
            var isSound = CLEAR.contains(result.outcome()) || revision(job).equals(revision(live));
            if (isSound || attempt == ATTEMPTS) {
                tally.add(isSound ? result : result.as(Outcome.UNSETTLED));
                return true;
            }
        }
    }

    private String revision(RandomJob job) {
        return revision(wire.send(User.WITHOUT_US, Wire.get(job.name())).body());
    }

    private Result judge(RandomJob job, ObjectNode live, Edit edit) {
        var without = wire.send(User.WITHOUT_US, edit.request().asDryRun());
        var with = wire.send(User.WITH_US, edit.request());
        return new Result(
                job.state(live),
                edit.method(),
                edit.places(),
                Outcome.of(without, with),
                detail(live, edit, without, with));
    }

    private static String revision(JsonNode job) {
        return job.at("/metadata/resourceVersion").asText();
    }

    /** Creates Jobs and leads them to their states, all at once because that is waiting for the most part. */
    private List<RandomJob> jobs(int done) {
        var jobs = new ArrayList<RandomJob>();
        for (int i = 0; i < JOBS_AT_ONCE && done + i * EDITS_OF_A_JOB < edits; i++) {
            var name = "job-%s-%d-%d".formatted(Long.toString(seed, 36), done, i);
            var state = STATES.get(i % STATES.size());
            jobs.add(RandomJob.create(name, state, schema, new Random(Draw.seed(seed, "job", done + i)), wire));
        }
        var waiting = new ArrayList<>(jobs);
        try {
            await("Jobs in their states")
                    .pollInterval(Duration.ofMillis(50))
                    .atMost(PATIENCE)
                    .until(() -> {
                        var live = live();
                        waiting.removeIf(job -> job.advance(live.getOrDefault(job.name(), MissingNode.getInstance())));
                        return waiting.isEmpty();
                    });
        } catch (ConditionTimeoutException e) {
            waiting.forEach(RandomJob::force);
        }
        return jobs;
    }

    private Map<String, JsonNode> live() {
        var live = new HashMap<String, JsonNode>();
        wire.send(User.WITHOUT_US, Wire.list())
                .body()
                .path("items")
                .forEach(job -> live.put(job.at("/metadata/name").asText(), job));
        return live;
    }

    private String detail(JsonNode live, Edit edit, Answer without, Answer with) {
        return """
                seed %d, edit %d: %s by %s
                --- the Job
                %s
                --- the edit
                %s
                --- without us
                %s
                --- with us
                %s
                """.formatted(
                        seed,
                        edit.plan().number(),
                        edit.places(),
                        edit.method().label(),
                        live.toPrettyString(),
                        edit.request(),
                        without,
                        with);
    }

    private void report() throws IOException {
        var version = cluster.controlPlane().version();
        var title = "Kubernetes %s, N=%d, SEED=%d".formatted(version, edits, seed);
        var markdown = tally.markdown(title, schema);
        System.out.println(markdown);
        var folder = Files.createDirectories(Project.directory().resolve("target/differential"));
        Files.writeString(folder.resolve(version + ".md"), markdown);
        for (var outcome : List.of(
                Outcome.WRONGLY_REFUSED, Outcome.LET_THROUGH, Outcome.OTHERWISE_REFUSED_OUR_WORDS, Outcome.UNSETTLED)) {
            Files.writeString(
                    folder.resolve(version + "-" + outcome.name() + ".txt"),
                    tally.of(outcome).stream().map(Result::detail).collect(Collectors.joining("\n")));
        }
    }
}
