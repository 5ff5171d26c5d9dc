package dev.gitopsinterlock.job.rule;

import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.tool.Ownership;
import dev.gitopsinterlock.tool.SentEdit;
import dev.gitopsinterlock.tool.Tool;
import dev.gitopsinterlock.tool.ToolDetection;
import dev.gitopsinterlock.tool.ToolMetadata;
import java.util.Optional;

/**
 * The facts that choose the advice for a Job edit.
 *
 * @param requester which tool sent it
 * @param edit what that tool needs to know of it
 * @param shape what the edit itself looks like
 */
record GuidanceSelector(Tool requester, SentEdit edit, Shape shape) {

    /** What the edit itself looks like, whoever sent it; the first that fits. */
    enum Shape {
        /** It carries the generated labels of another Job. */
        COPIED_MANIFEST,
        /** Its only offence is that completions of an Indexed Job change without parallelism. */
        COMPLETIONS_ALONE,
        /** Nothing but labels and annotations of the template differs, and these change with each version; of no hook. */
        VERSIONS_ALONE,
        ORDINARY
    }

    /**
     * The requester decides how to say it, the owner where the fix belongs: what a GitOps controller applies, it
     * owns; for everybody else an owner's mark goes before the way the change came in.
     */
    GuidanceCode code() {
        return switch (shape) {
            case COPIED_MANIFEST -> GuidanceCode.COPIED_JOB_MANIFEST;
            case COMPLETIONS_ALONE -> GuidanceCode.COMPLETIONS_WITHOUT_PARALLELISM;
            case VERSIONS_ALONE -> byOwner().orElse(GuidanceCode.JOB_TEMPLATE_LABELS_EDIT);
            case ORDINARY ->
                byOwner().orElseGet(() -> requester.profile().advice().apply(edit));
        };
    }

    /** What the tool of another owner advises. Those that own by the same mark are no strangers to each other. */
    private Optional<GuidanceCode> byOwner() {
        var own = requester.profile().ownership();
        return requester.reconciles()
                ? Optional.empty()
                : owner(edit.marks())
                        .filter(ownership -> !own.equals(Optional.of(ownership)))
                        .map(Ownership::advice);
    }

    private static Optional<Ownership> owner(ToolMetadata marks) {
        return ToolDetection.owner(marks).flatMap(tool -> tool.profile().ownership());
    }
}
