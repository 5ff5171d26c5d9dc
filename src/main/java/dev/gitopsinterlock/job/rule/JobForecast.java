package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.guidance.JobEditGuidance;
import dev.gitopsinterlock.immutability.FieldPath;
import java.util.List;
import java.util.Optional;

/**
 * What an API server will say to an edit of a Job, in a state of it that is known or assumed.
 *
 * @param refused fields that no supported version lets change, in the order of the API reference
 * @param unsure fields whose change some versions accept and others refuse
 * @param guidance what helps; empty where nothing is refused by any version
 */
public record JobForecast(List<FieldPath> refused, List<FieldPath> unsure, Optional<JobEditGuidance> guidance) {

    public JobForecast {
        refused = List.copyOf(refused);
        unsure = List.copyOf(unsure);
    }
}
