package dev.gitopsinterlock.gate;

import dev.gitopsinterlock.admission.Denial;
import dev.gitopsinterlock.admission.Fact;
import dev.gitopsinterlock.admission.GuidancePages;
import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.gate.Holder.Syncs;
import dev.gitopsinterlock.gate.Rollout.Scope;
import dev.gitopsinterlock.guidance.GuidanceCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Node does not get its new configuration yet; whoever sends it there will try again.
 *
 * @param scope of the rollout
 * @param node that the answer is about, the next one of its scope; empty where it is asked for all of them
 * @param holder what is waited for
 * @param since when the rollout began
 * @param until when it goes on in any case
 */
public record RolloutHeld(Scope scope, String node, Holder holder, Instant since, Instant until) implements Denial {

    private static final GuidanceCode CODE = GuidanceCode.ROLLOUT_HELD;
    private static final int FORBIDDEN = 403;

    /** Why, and until when. */
    public String reason() {
        return RolloutText.held(holder, node, until);
    }

    /** Why, until when, and which Node is next: what people are told when it begins. */
    String startNote() {
        return node.isEmpty() || !(holder instanceof Syncs)
                ? reason()
                : reason() + "; Node %s is next".formatted(Wording.cut(node));
    }

    /** Why and until when it would be held, where it is only observed. */
    String observedNote() {
        return "would be " + reason();
    }

    /** What the machine-config controller logs, and what its Events say. */
    public String message(GuidancePages pages) {
        return "%s. To let %s %s go on now%s: %s. %s"
                .formatted(
                        reason(),
                        scope.noun(),
                        scope.name(),
                        node.isEmpty() ? "" : " (Node %s is next)".formatted(Wording.cut(node)),
                        scope.override(),
                        pages.link(CODE.token()));
    }

    /** 403, because the machine-config controller repeats a 409 without a pause and sleeps at 429. */
    @Override
    public Status status(GuidancePages pages) {
        return new Status(FORBIDDEN, "Forbidden", message(pages), Optional.empty());
    }

    @Override
    public String token() {
        return "held";
    }

    @Override
    public Map<String, String> labels() {
        return Map.of();
    }

    @Override
    public Map<String, String> auditAnnotations() {
        return Map.of("guidance", CODE.token());
    }

    @Override
    public List<Fact> facts() {
        return List.of(
                new Fact("code", CODE.token()), new Fact(scope.noun(), scope.name()), new Fact("held", reason()));
    }

    @Override
    public boolean isRepeated() {
        return true;
    }
}
