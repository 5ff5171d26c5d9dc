package dev.gitopsinterlock.cluster.carryout;

import static dev.gitopsinterlock.cluster.carryout.CarryingOut.FINISHED;
import static dev.gitopsinterlock.cluster.carryout.CarryingOut.edit;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cluster.api.FakeApiServer;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Call;
import dev.gitopsinterlock.cluster.api.FakeApiServer.Fault;
import dev.gitopsinterlock.config.Settings.CarryOutAs;
import dev.gitopsinterlock.testing.review.Jobs;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What docs/replace.md says of "What survives an interruption": the process that began it is gone. */
class RecoveryTest {

    private static final String NAME = "db-migrate";

    private final CarryingOut gone = CarryingOut.as(CarryOutAs.SERVICE_ACCOUNT);
    private final FakeApiServer api = gone.api;
    private final ObjectNode live = api.write(FINISHED.deepCopy());
    private CarryingOut replica = gone.another();

    @AfterEach
    void close() {
        gone.close();
        replica.close();
    }

    /** Written down, and not yet deleted. */
    private void intend(JsonNode job) {
        var obstacle = gone.intents.keep(Intents.newName(), edit(job), Duration.ofSeconds(1));
        assertThat(obstacle).isEqualTo(Optional.empty());
    }

    private void replica(Duration clockAhead) {
        replica.close();
        replica = gone.another(clockAhead);
    }

    private void rounds(int seconds) {
        for (int passed = 0; passed < seconds; passed += 2) {
            replica.recovery.lookAfterAll();
            replica.clock.pass(Duration.ofSeconds(2));
        }
    }

    @Test
    void deletedJobIsCreatedAfterSeconds() {
        intend(live);
        api.remove(NAME);

        rounds(4);
        assertThat(api.job(NAME)).isEmpty();
        rounds(8);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "done"))
                .isEqualTo(1);
    }

    @Test
    void whatItsOwnProcessIsStillAtIsLeftToIt() {
        assertThat(replica.intents.keep(Intents.newName(), edit(live), Duration.ofSeconds(1)))
                .isEmpty();
        api.remove(NAME);

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 409, 429, 500, 503})
    void creationThatIsNotPossibleYetIsTriedAgain(int status) {
        intend(live);
        api.remove(NAME);
        api.next(Call.CREATE, Fault.LOST_BEFORE, Fault.status(status));

        rounds(30);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void jobThatCanNeverBeCreatedIsGivenUp() {
        intend(live);
        api.remove(NAME);
        api.always(Call.CREATE, Fault.status(422));

        rounds(30);

        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "refused"))
                .isEqualTo(1);
    }

    @Test
    void somebodyElsesJobIsTheJob() {
        intend(live);
        api.remove(NAME);
        var theirs = api.create(Jobs.manifest(live));

        rounds(30);

        assertThat(api.job(NAME)).contains(theirs);
        assertThat(api.intents()).isEmpty();
    }

    /** A deletion that was sent may arrive late. */
    @Test
    void oldJobThatGoesWithinAMinuteIsReplacedAfterAll() {
        intend(live);
        rounds(40);
        assertThat(api.job(NAME)).contains(live);

        api.remove(NAME);
        rounds(10);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }

    @Test
    void oldJobThatStaysForAMinuteStays() {
        intend(live);

        rounds(70);

        assertThat(api.job(NAME)).contains(live);
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void fiftyMinutesByTheApiServersClockAreNotTooManyByAnother(int hoursAhead) {
        replica(Duration.ofHours(hoursAhead));
        intend(live);
        api.remove(NAME);
        gone.clock.pass(Duration.ofMinutes(50));

        rounds(30);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void afterAnHourNobodyExpectsIt(int hoursAhead) {
        replica(Duration.ofHours(hoursAhead));
        intend(live);
        api.remove(NAME);
        gone.clock.pass(Duration.ofHours(1));

        rounds(30);

        assertThat(api.job(NAME)).isEmpty();
        assertThat(api.intents()).isEmpty();
        assertThat(replica.counted("gitops.interlock.recoveries", "outcome", "expired"))
                .isEqualTo(1);
    }

    @Test
    void ofTwoTheNewerOneIsFinished() {
        intend(live);
        api.remove(NAME);
        replica.clock.pass(Duration.ofSeconds(1));
        var newer = api.create(Jobs.with(Jobs.manifest(live), "/metadata/labels/newer", "yes"));
        intend(newer);
        api.remove(NAME);

        rounds(30);

        assertThat(api.job(NAME))
                .hasValueSatisfying(job ->
                        assertThat(job.at("/metadata/labels/newer").asText()).isEqualTo("yes"));
        assertThat(api.intents()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LIST_INTENTS", "READ_INTENT", "LOOK", "DROP_INTENT"})
    void apiServerThatIsAwayForAWhileCostsTimeAndNothingElse(String call) {
        intend(live);
        api.remove(NAME);
        api.next(Call.valueOf(call), Fault.LOST_BEFORE, Fault.status(500), Fault.status(503), Fault.status(429));

        rounds(60);

        assertThat(api.job(NAME)).isPresent();
        assertThat(api.intents()).isEmpty();
    }
}
