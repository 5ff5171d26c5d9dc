package dev.gitopsinterlock.page;

import dev.gitopsinterlock.admission.Decision;
import dev.gitopsinterlock.admission.Verdict.Allow;
import dev.gitopsinterlock.admission.Verdict.Deny;
import dev.gitopsinterlock.guidance.RefusedEdit;
import java.util.Locale;
import java.util.Optional;

/** What became of an edit, as far as people want to see it. */
public enum Fate {
    REFUSED("Refused"),
    PREVIEWED("Previewed"),
    REPLACED("Replaced"),
    RUN_BESIDE("Run beside"),
    WARNED("Warned");

    private final String word;

    Fate(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** The name of its colour in the style sheet. */
    public String style() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Empty where nothing happened that is worth a line. */
    static Optional<Fate> of(Decision decision) {
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
