package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.job.JobState;
import dev.gitopsinterlock.job.KubernetesVersion;
import java.util.List;
import java.util.Optional;

/**
 * What an API server will say to an edit of a Job, in a state of it that is known or assumed.
 *
 * @param refused fields that no version in question lets change, in the order of the API reference
 * @param unsure fields whose change some of them accept and others refuse
 * @param guidance what helps; empty where nothing is refused by any
 */
public record JobForecast(List<FieldPath> refused, List<FieldPath> unsure, Optional<JobEditGuidance> guidance) {

    /**
     * What an edit meets.
     *
     * @param state of the live Job
     * @param imagined whether that Job is what its manifest makes one expect, and nobody has looked
     * @param version of the API server; empty if any supported one counts
     */
    public record Circumstances(JobState state, boolean imagined, Optional<KubernetesVersion> version) {}

    public JobForecast {
        refused = List.copyOf(refused);
        unsure = List.copyOf(unsure);
    }
}
