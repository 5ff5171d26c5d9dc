package dev.gitopsinterlock.status;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.guidance.RefusedEdit;
import java.util.Locale;
import java.util.Optional;

/** What became of an edit, as far as people want to see it. */
public enum EditOutcome {
    REFUSED,
    /** Refused, and said what would have become of it. */
    PREVIEWED,
    REPLACED,
    RUN_BESIDE,
    /** Left to the API server, with advice beside its answer. */
    WARNED;

    /** The outcome in lower case. */
    public String words() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The outcome as the beginning of a line. */
    public String title() {
        return name().charAt(0) + words().substring(1);
    }

    /** What a decision means for an edit; empty where nothing happened that is worth a line. */
    public static Optional<EditOutcome> of(Decision decision) {
        return switch (decision.verdict()) {
            case Deny(RefusedEdit refused) -> Optional.of(refused.preview().isPresent() ? PREVIEWED : REFUSED);
            case Deny(var _) -> Optional.empty();
            case Allow(var reason, var _) ->
                switch (reason.token()) {
                    case "replaced" -> Optional.of(REPLACED);
                    case "run_started" -> Optional.of(RUN_BESIDE);
                    case "warned" -> Optional.of(WARNED);
                    default -> Optional.empty();
                };
        };
    }
}
