package dev.gitopsinterlock.system.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.job.JobCases;
import dev.gitopsinterlock.system.atlas.Condition;
import dev.gitopsinterlock.system.atlas.FieldRuns;
import dev.gitopsinterlock.system.differential.Edits.Edit;
import dev.gitopsinterlock.system.differential.Edits.Plan;
import dev.gitopsinterlock.system.differential.Tally.Result;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.text.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
 * meets the Job that the first one met, unless a controller wrote in between. The Job is read before its first edit and
 * after each that was stored, and its resourceVersion after the second request; an answer that tells against the service
 * counts only if it is the same, for then nothing has changed (a refused request stores nothing either). Otherwise, and
 * where the API server says that the Job has changed or gone, the edit is made anew and sent again.
 *
 * <p>{@code differential.seed} gives the same Jobs and edits again; which edits meet a Job before or after its
 * controller's next write may differ. Several Jobs are edited side by side, each by nobody else, and a run that was
 * interrupted goes on with the Jobs that its {@link Ledger} does not have.
 */
@ExtendWith(Cluster.Extension.class)
class DifferentialIT {

    private static final String NAMESPACE = "differential";
    private static final List<State> STATES = List.of(State.values());
    private static final int SMALL = 1000;
    private static final int LIVES_IN_VAIN = 20;
    private static final int DRAWS = 3;
    private static final int ATTEMPTS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Cluster cluster;
    private final Wire wire;
    private final Schema schema;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", SMALL);
    /** To make a Job and to bring it into its state takes as long as dozens of edits. */
    private final int editsOfJob = edits > SMALL ? 40 : 10;

    private final Edits drawn;

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
    void refusesNothingThatTheApiServerAcceptsAndExplainsWhatItRefuses()
            throws IOException, InterruptedException, ExecutionException {
        var version = cluster.controlPlane().version();
        var folder = Files.createDirectories(Project.directory().resolve("target/differential"));
        var ledger = Ledger.open(folder.resolve("%s-%d.jsonl".formatted(version, seed)), new ResultFormat(schema));
        var jobs = jobs();
        editAll(jobs, ledger);
        var tally = new Tally();
        ledger.results(jobs.stream().map(Numbered::number).toList()).forEach(tally::add);
        report(tally, version, folder);
        Evidence.keep(version, "DifferentialIT", tally.numbers());
        FieldRuns.leave(version, "Job", Shown.run(seed, tally.numbersOfKind(), tally.shown()));
        assertThat(tally.size()).as("edits sent").isEqualTo(edits);
        assertThat(tally.of(Outcome.WRONGLY_REFUSED)).extracting(Result::detail).isEmpty();
        assertThat(tally.of(Outcome.LET_THROUGH))
                .as("edits refused as immutable without our words, of which there may be one of a thousand")
                .extracting(Result::detail)
                .hasSizeLessThanOrEqualTo(Math.max(1, edits / 1000));
    }

    /** A Job to be made, and what is to be done to it. */
    private record Numbered(int number, List<Plan> plans) {}

    /** All of them, in the order in which edits are drawn. */
    private List<Numbered> jobs() {
        var plans = drawn.plans(edits);
        return IntStream.iterate(0, first -> first < edits, first -> first + editsOfJob)
                .mapToObj(first ->
                        new Numbered(first / editsOfJob, plans.subList(first, Math.min(edits, first + editsOfJob))))
                .toList();
    }

    private void editAll(List<Numbered> jobs, Ledger<Result> ledger) throws InterruptedException, ExecutionException {
        var open = jobs.stream()
                .filter(job -> !ledger.has(job.number(), job.plans().size()))
                .toList();
        System.out.printf("differential: %d Jobs to edit, %s%n", open.size(), ledger);
        SideBySide.run(
                "differential",
                open.stream()
                        .<Callable<Void>>map(job -> () -> {
                            ledger.add(job.number(), results(job));
                            return null;
                        })
                        .toList());
    }

    /**
     * A Job that is going, to which an edit of its TTL leads, is followed by another like it, and one that is drawn so that
     * it never stays by one that is drawn anew.
     */
    private List<Result> results(Numbered numbered) {
        var results = new ArrayList<Result>();
        for (int life = 0; results.size() < numbered.plans().size(); life++) {
            var draw = Math.max(0, life - results.size()) / LIVES_IN_VAIN;
            if (draw == DRAWS) {
                throw new AssertionError("Jobs of number %d go before they can be edited".formatted(numbered.number()));
            }
            var job = job(
                    numbered.number(), life, new Random(Draw.seed(seed, "job" + "'".repeat(draw), numbered.number())));
            var live = read(job);
            while (live.isPresent() && results.size() < numbered.plans().size()) {
                var edited = edit(job, live.get(), numbered.plans().get(results.size()));
                edited.result().ifPresent(results::add);
                live = edited.live();
            }
            wire.send(User.WITH_US, Wire.delete(job.name()));
        }
        return results;
    }

    /**
     * What became of an edit.
     *
     * @param result empty if the Job is gone or going, and not by this edit; the service never touches such a Job
     * @param live the Job for the next edit, as empty
     */
    private record Edited(Optional<Result> result, Optional<ObjectNode> live) {}

    private Edited edit(RandomJob job, ObjectNode first, Plan plan) {
        var live = Optional.of(first);
        for (int attempt = 1; live.isPresent(); attempt++) {
            var judged = judge(job, live.get(), drawn.edit(plan, live.get()));
            var isSound = judged.isOfThisJob()
                    && (judged.result().outcome().isClear() || revision(job).equals(revision(live.get())));
            if (isSound && !judged.isStored()) {
                return new Edited(Optional.of(judged.result()), live);
            }
            live = read(job);
            if (isSound || attempt == ATTEMPTS || (live.isEmpty() && judged.isStored())) {
                var result = isSound ? judged.result() : judged.result().as(Outcome.UNSETTLED);
                return new Edited(Optional.of(result), live);
            }
        }
        return new Edited(Optional.empty(), live);
    }

    /** Empty if it is gone or going. */
    private Optional<ObjectNode> read(RandomJob job) {
        var live = wire.send(User.WITHOUT_US, Wire.get(job.name())).body();
        return live.path("spec").isMissingNode()
                        || live.at("/metadata/deletionTimestamp").isTextual()
                ? Optional.empty()
                : Optional.of((ObjectNode) live);
    }

    private String revision(RandomJob job) {
        return revision(wire.send(User.WITHOUT_US, Wire.get(job.name())).body());
    }

    /**
     * An edit that was sent twice.
     *
     * @param isOfThisJob false if the API server says that the Job has changed or gone since it was read
     * @param isStored whether the Job is another one now, at which controllers will look
     */
    private record Judged(Result result, boolean isOfThisJob, boolean isStored) {}

    private Judged judge(RandomJob job, ObjectNode live, Edit edit) {
        var without = wire.send(User.WITHOUT_US, edit.request().asDryRun());
        var shown = Shown.of(
                        without,
                        without.isImmutable(),
                        edit.sent(),
                        after -> JobCases.places(cluster.controlPlane().version(), live, after))
                .filter(each -> isAboutNothingElse(without, each));
        var result = new Result(job.state(live), edit.method(), edit.places(), Outcome.UNSETTLED, shown, "");
        if (shown.filter(each -> each.place().when() != Condition.ALWAYS).isPresent()
                && !revision(job).equals(revision(live))) {
            return new Judged(result, false, false);
        }
        var with = wire.send(User.WITH_US, edit.request());
        result = result.of(Outcome.of(without, with));
        return new Judged(
                result.isToBeRead() ? result.with(detail(live, edit, without, with)) : result,
                without.isOfWhatWasRead() && with.isOfWhatWasRead(),
                with.isAccepted());
    }

    /** By a default the API server may change another field too: completions, where the edit takes parallelism away. */
    private static boolean isAboutNothingElse(Answer refusal, Shown shown) {
        return refusal.immutableFields().stream()
                .allMatch(field -> (shown.place().field() + ".").startsWith(field + "."));
    }

    private static String revision(JsonNode job) {
        return job.at("/metadata/resourceVersion").asText();
    }

    /** Makes a Job and leads it to its state. */
    private RandomJob job(int number, int life, Random random) {
        var name = "job-%s-%d-%d".formatted(Long.toString(seed, 36), number, life);
        var state = STATES.get(number % STATES.size());
        var job = RandomJob.create(name, state, schema, random, wire);
        try {
            await("Job in its state")
                    .pollInterval(Duration.ofMillis(100))
                    .atMost(PATIENCE)
                    .until(() -> job.advance(
                            wire.send(User.WITHOUT_US, Wire.get(name)).body()));
        } catch (ConditionTimeoutException e) {
            job.force();
        }
        return job;
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

    private void report(Tally tally, String version, Path folder) throws IOException {
        var markdown = tally.markdown("Kubernetes %s, N=%d, SEED=%d".formatted(version, edits, seed), schema);
        System.out.println(markdown);
        Files.writeString(folder.resolve(version + ".md"), markdown);
        for (var outcome : Outcome.values()) {
            var details = tally.of(outcome).stream()
                    .map(Result::detail)
                    .filter(detail -> !detail.isEmpty())
                    .collect(Collectors.joining("\n"));
            Files.writeString(folder.resolve(version + "-" + outcome.name() + ".txt"), details);
        }
    }
}
