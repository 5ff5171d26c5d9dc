package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.text.Trees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The truth table of the exceptions for suspended Jobs, as wide as any version reads it. */
class JobStateTest {

    @ParameterizedTest
    @CsvSource({
        // suspend, startTime, Suspended condition, active -> scheduling, resources
        "false, absent,  absent, 0, false, false",
        "false, present, absent, 1, false, false",
        "false, present, True,   0, false, true",
        "false, present, True,   1, false, false",
        "true,  absent,  absent, 0, true,  true",
        "true,  absent,  False,  0, true,  true",
        "true,  absent,  absent, 1, true,  true",
        "true,  present, absent, 0, false, false",
        "true,  present, False,  0, false, false",
        "true,  present, True,   0, true,  true",
        "true,  present, True,   1, false, false",
    })
    void exceptionsHoldForSuspendedJobsWithoutPods(
            boolean suspend, String startTime, String condition, int active, boolean scheduling, boolean resources) {
        var job = Jobs.with(Jobs.finished(), "/spec/suspend", Trees.json(Boolean.toString(suspend)));
        var status = job.putObject("status").put("active", active);
        if (startTime.equals("present")) {
            status.put("startTime", "2026-11-20T08:00:00Z");
        }
        if (!condition.equals("absent")) {
            status.putArray("conditions").addObject().put("type", "Suspended").put("status", condition);
        }

        var state = JobState.of(job);

        assertThat(state.mayTakeSchedulingDirectives()).isEqualTo(scheduling);
        assertThat(state.mayTakeResources()).isEqualTo(resources);
    }
}
