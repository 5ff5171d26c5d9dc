package dev.gitopsinterlock.guidance;

import java.util.List;

/**
 * The advice for a refused Job edit, as facts without sentences.
 *
 * @param code what is advised
 * @param requester who sent the edit
 * @param job the Job
 * @param fields paths of the fields that cannot change, in the order of the API reference; never values
 * @param reason what the advice's sentence needs beside its code; empty for most
 */
public record JobEditGuidance(
        GuidanceCode code, Recipient requester, ObjectName job, List<String> fields, String reason) implements Denial {

    public JobEditGuidance(GuidanceCode code, Recipient requester, ObjectName job, List<String> fields) {
        this(code, requester, job, fields, "");
    }

    public JobEditGuidance {
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("a refused edit names at least one field");
        }
    }
}
