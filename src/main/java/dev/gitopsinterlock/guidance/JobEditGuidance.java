package dev.gitopsinterlock.guidance;

import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Wording;
import java.util.List;
import java.util.Optional;

/**
 * The advice for a refused Job edit: facts, and the words that people read, with what {@link RefusedFields} promises.
 *
 * @param code what is advised
 * @param requester who sent the edit
 * @param job the Job
 * @param fields paths of the fields that cannot change, in the order of the API reference; never values
 * @param reason what the advice's sentence needs beside its code; empty for most
 * @param preview what would have become of it under Replace, where the policy asks for that
 */
public record JobEditGuidance(
        GuidanceCode code,
        Recipient requester,
        ObjectName job,
        List<String> fields,
        String reason,
        Optional<Preview> preview)
        implements RefusedEdit {

    public JobEditGuidance(GuidanceCode code, Recipient requester, ObjectName job, List<String> fields) {
        this(code, requester, job, fields, "");
    }

    public JobEditGuidance(GuidanceCode code, Recipient requester, ObjectName job, List<String> fields, String reason) {
        this(code, requester, job, fields, reason, Optional.empty());
    }

    public JobEditGuidance {
        fields = List.copyOf(fields);
        if (fields.isEmpty()) {
            throw new IllegalArgumentException("a refused edit names at least one field");
        }
    }

    /** For clients that read the message: Argo CD, Flux, Helm, Fleet. */
    public String message(GuidancePages pages) {
        return refused().message(remedy(pages), became(), pages.link(code.token()));
    }

    /** For clients that read the causes: kubectl, which drops the message. The first one carries the remedy. */
    public List<Cause> causes(GuidancePages pages) {
        return refused().causes(remedy(pages), pages.link(code.token()));
    }

    @Override
    public Status status(GuidancePages pages) {
        return refused().status(remedy(pages), became(), pages.link(code.token()));
    }

    /** What to do, as it stands in the message, in one line. */
    public String remedy(GuidancePages pages) {
        var remedy = refused()
                .named(pages.remedy(code.token()).replace("{kubectl}", requester.kubectl()))
                .replace("{reason}", Wording.printable(reason));
        return preview.map(known -> known.after(remedy)).orElse(remedy);
    }

    @Override
    public JobEditGuidance with(Preview known) {
        return new JobEditGuidance(code, requester, job, fields, reason, Optional.of(known));
    }

    @Override
    public RefusedFields refused() {
        return new RefusedFields("batch", "Job", job, fields);
    }

    private String became() {
        return code.equals(GuidanceCode.OLD_JOB_GONE) ? "is gone" : "was not changed";
    }
}
