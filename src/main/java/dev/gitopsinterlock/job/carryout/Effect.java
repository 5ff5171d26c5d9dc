package dev.gitopsinterlock.job.carryout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something to be done in the cluster before a review can be answered. Data; {@code cluster} does it. */
public sealed interface Effect {

    /** Its one spelling in metrics; stable. */
    default String token() {
        return switch (this) {
            case ReplaceJob _ -> "replace_job";
            case CreateSibling _ -> "create_sibling";
        };
    }

    /** The facts that every effect needs. */
    JobOperation operation();

    /**
     * What all effects have in common.
     *
     * @param job the live Job
     * @param seen what the review calls the live Job; nothing is done where the cluster has another, or has it otherwise
     * @param requester in whose name this is done
     * @param tool that sent the request
     * @param fields that the edit changes and the API server will not
     * @param newJob to be created, without status
     * @param fieldManager that the new Job is created with
     * @param owners of its fields, as a list of managedFields; no list where they are as its creation leaves them
     * @param dryRun whether nothing may be stored: rights and policies are asked all the same
     */
    record JobOperation(
            ObjectName job,
            JsonNode seen,
            Requester requester,
            Tool tool,
            List<String> fields,
            JsonNode newJob,
            String fieldManager,
            JsonNode owners,
            boolean dryRun) {
        public JobOperation {
            fields = List.copyOf(fields);
        }

        /** Of the live Job. */
        public String uid() {
            return seen.path("metadata").path("uid").asText();
        }
    }

    /**
     * Deletes a Job and creates it again under its name.
     *
     * @param finishedAt when it finished; empty for one that has not
     */
    record ReplaceJob(JobOperation operation, Optional<Instant> finishedAt) implements Effect {}

    /**
     * Creates a Job beside the live one. Its name is part of the operation, so that doing it twice makes one Job.
     *
     * @param lastRun what the live Job is to remember of it
     */
    record CreateSibling(JobOperation operation, String lastRun) implements Effect {}
}
