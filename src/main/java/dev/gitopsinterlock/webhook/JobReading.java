package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.job.JobChange;

/** What the request of a review says about a Job. */
sealed interface JobReading {

    record JobRequest(JobChange change) implements JobReading {}

    /**
     * The request lacks what a rule needs, or has it in another form. The API server judges it by itself.
     *
     * @param where the path of the first part that is not as expected
     */
    record Unjudgeable(String where) implements JobReading {}
}
