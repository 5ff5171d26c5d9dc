package dev.gitopsinterlock.testing.review;

import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Recipient;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.guidance.RefusedFields;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Refusals of edits of Jobs, of which the API server says what is usual. */
public final class Refusals {

    private Refusals() {}

    public static RefusedEdit of(GuidanceCode code, Recipient requester, ObjectName job, List<String> fields) {
        return of(code, requester, job, fields, "");
    }

    /** With a reason that the advice's sentence needs. */
    public static RefusedEdit of(
            GuidanceCode code, Recipient requester, ObjectName job, List<String> fields, String reason) {
        var phrases = Collections.nCopies(fields.size(), RefusedFields.USUAL_PHRASE);
        return new RefusedEdit(
                code,
                requester,
                Optional.empty(),
                new RefusedFields("batch", "Job", job, fields, phrases),
                reason,
                Optional.empty());
    }
}
