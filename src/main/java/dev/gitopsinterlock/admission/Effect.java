package dev.gitopsinterlock.admission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.guidance.ObjectName;
import dev.gitopsinterlock.tool.Requester;
import dev.gitopsinterlock.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Something to be done in the cluster before a review can be answered. Data; {@code cluster} does it. */
public sealed interface Effect {

    /** The facts that every effect needs. */
    Order order();

    /**
     * What all effects have in common.
     *
     * @param job the live Job
     * @param requester who must have the right to do this without us
     * @param tool that sent the request
     * @param fields that the edit changes and the API server will not
     * @param newJob to be created, without status
     * @param fieldManager that the new Job is created with
     * @param dryRun whether nothing may be stored: rights and policies are asked all the same
     */
    record Order(
            ObjectName job,
            Requester requester,
            Tool tool,
            List<String> fields,
            JsonNode newJob,
            String fieldManager,
            boolean dryRun) {
        public Order {
            fields = List.copyOf(fields);
        }
    }

    /**
     * Deletes a Job and creates it anew under its name.
     *
     * @param uid of the Job to be deleted; another one of that name is left alone
     * @param finishedAt when it finished; empty for one that has not
     */
    record ReplaceJob(Order order, String uid, Optional<Instant> finishedAt) implements Effect {}

    /**
     * Creates a Job beside the live one. Its name is part of the order, so that doing it twice makes one Job.
     *
     * @param lastRun what the live Job is to remember of it
     */
    record StartRun(Order order, String lastRun) implements Effect {}
}
