package dev.gitopsinterlock.kinds;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.job.policy.JobPolicy;
import dev.gitopsinterlock.job.policy.JobSettings;
import dev.gitopsinterlock.job.policy.OnImmutableChange;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Answers an edit that every supported API server refuses with advice in its place.
 *
 * <p>Promises: never refuses what some supported API server would accept; reads of a Secret's or ConfigMap's content only
 * whether it differs.
 */
final class ObjectEditRule {

    private ObjectEditRule() {}

    /**
     * Decides about one request.
     *
     * @param levels of the policy for Jobs, whose exempt Namespaces and annotations count here, too
     * @param namespace annotations of the object's Namespace, as far as they are known
     */
    static Decision decide(ObjectEdit edit, JobPolicy.Levels levels, Map<String, String> namespace) {
        if (edit.isNeverTouched() || levels.isExempt(edit.object().namespace())) {
            return Decision.allow(ObjectEditReason.NEVER_TOUCHED);
        }
        if (levels.allowOverrides() && isIgnored(edit, namespace)) {
            return Decision.allow(ObjectEditReason.POLICY);
        }
        var refused = edit.kind().refused(edit.before(), edit.after());
        if (refused.isEmpty()) {
            return Decision.allow(ObjectEditReason.UNSURE);
        }
        return refused.get().isEmpty()
                ? Decision.allow(ObjectEditReason.NO_IMMUTABLE_CHANGE)
                : Decision.deny(RefusedObjectEdit.of(edit, refused.get()));
    }

    /** The nearest annotation counts. Nothing is carried out here, so that every other word means Reject. */
    private static boolean isIgnored(ObjectEdit edit, Map<String, String> namespace) {
        var setting = JobSettings.ON_IMMUTABLE_CHANGE;
        return Stream.of(edit.annotation(setting.annotation()), namespace.getOrDefault(setting.annotation(), ""))
                .map(setting::parse)
                .flatMap(Optional::stream)
                .findFirst()
                .filter(OnImmutableChange.IGNORE::equals)
                .isPresent();
    }
}
