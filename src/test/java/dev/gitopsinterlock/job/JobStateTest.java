package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The truth table of the exceptions for suspended Jobs: as wide as any version reads it, then by their gate. */
class JobStateTest {

    @ParameterizedTest
    @CsvSource({
        // suspend, startTime, Suspended condition, active -> scheduling, resources; scheduling with the gate off; both
        // on
        "false, absent,  absent, 0, REFUSED,  REFUSED, REFUSED,  REFUSED",
        "false, present, absent, 1, REFUSED,  REFUSED, REFUSED,  REFUSED",
        "false, present, True,   0, REFUSED,  UNSURE,  REFUSED,  REFUSED",
        "false, present, True,   1, REFUSED,  REFUSED, REFUSED,  REFUSED",
        "true,  absent,  absent, 0, UNSURE,   UNSURE,  ACCEPTED, UNSURE",
        "true,  absent,  False,  0, UNSURE,   UNSURE,  ACCEPTED, UNSURE",
        "true,  absent,  absent, 1, UNSURE,   UNSURE,  ACCEPTED, UNSURE",
        "true,  absent,  True,   0, ACCEPTED, UNSURE,  ACCEPTED, ACCEPTED",
        "true,  present, absent, 0, REFUSED,  REFUSED, REFUSED,  REFUSED",
        "true,  present, False,  0, REFUSED,  REFUSED, REFUSED,  REFUSED",
        "true,  present, True,   0, UNSURE,   UNSURE,  REFUSED,  ACCEPTED",
        "true,  present, True,   1, REFUSED,  REFUSED, REFUSED,  REFUSED",
    })
    void exceptionsHoldForSuspendedJobsWithoutPods(
            boolean suspend,
            String startTime,
            String condition,
            int active,
            Mutability scheduling,
            Mutability resources,
            Mutability schedulingOff,
            Mutability on) {
        var job = Jobs.with(Jobs.finished(), "/spec/suspend", Trees.json(Boolean.toString(suspend)));
        var status = job.putObject("status").put("active", active);
        if (startTime.equals("present")) {
            status.put("startTime", "2026-11-20T08:00:00Z");
        }
        if (!condition.equals("absent")) {
            status.putArray("conditions").addObject().put("type", "Suspended").put("status", condition);
        }

        var state = JobState.of(job);

        assertThat(state.schedulingDirectives(FeatureGate.UNKNOWN)).isEqualTo(scheduling);
        assertThat(state.resources(FeatureGate.UNKNOWN)).isEqualTo(resources);
        assertThat(state.schedulingDirectives(FeatureGate.OFF)).isEqualTo(schedulingOff);
        assertThat(state.resources(FeatureGate.OFF)).isEqualTo(Mutability.REFUSED);
        assertThat(state.schedulingDirectives(FeatureGate.ON)).isEqualTo(on);
        assertThat(state.resources(FeatureGate.ON)).isEqualTo(on);
    }
}
