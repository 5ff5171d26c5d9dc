package dev.gitopsinterlock.tool;

import dev.gitopsinterlock.guidance.GuidanceCode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * All that is known of one tool: how it shows, what it owns, and what helps those who use it.
 *
 * @param title what the docs call it
 * @param label the stable name in metrics and logs
 * @param signs by which it shows as the sender of a request; one suffices
 * @param ownership how objects show that their source lives in this tool; empty where nothing on them does
 * @param claims labels and annotations by which this tool may take an object for its own: keys, or the domains that all
 *     such keys are in
 * @param reconciles whether this is a controller that brings a cluster to what Git says: what it applies, it owns
 * @param comesBack when an object of its own that is gone comes back
 * @param again how its users send a change once more, as an order: {@code sync again}
 * @param kubectl the command that its users have for what others do with kubectl
 * @param delivery how it brings a manifest to a cluster; empty for what sends none of its own
 * @param isObserved whether a test has seen the tool itself; of the others only their source was read
 * @param advice what helps whoever sent an edit by this tool
 * @param codes all that this advice can be, but for other tools' and general ones
 */
public record ToolProfile(
        String title,
        String label,
        List<Sign> signs,
        Optional<Ownership> ownership,
        Set<String> claims,
        boolean reconciles,
        Return comesBack,
        String again,
        String kubectl,
        Optional<Delivery> delivery,
        boolean isObserved,
        Function<SentEdit, GuidanceCode> advice,
        List<GuidanceCode> codes) {

    /** When an object that is gone comes back. */
    public enum Return {
        NEVER,
        /** With the next release, if there is one. */
        WITH_A_CHANGE,
        /** At the latest when the tool runs again. */
        WITHOUT_A_CHANGE
    }

    /** A tool of which nothing more is known yet. */
    public static Builder named(String title, String label) {
        return new Builder(title, label);
    }

    /** Takes one fact after the other; what is not said is not so. */
    public static final class Builder {

        private final String title;
        private final String label;
        private List<Sign> signs = List.of();
        private Optional<Ownership> ownership = Optional.empty();
        private Set<String> claims = Set.of();
        private boolean reconciles;
        private Return comesBack = Return.NEVER;
        private String again = "apply again";
        private String kubectl = "kubectl";
        private Optional<Delivery> delivery = Optional.empty();
        private boolean isObserved;

        private Builder(String title, String label) {
            this.title = title;
            this.label = label;
        }

        public Builder knownBy(Sign... any) {
            signs = List.of(any);
            return this;
        }

        public Builder owns(Ownership by) {
            ownership = Optional.of(by);
            return this;
        }

        public Builder claims(String... keysAndDomains) {
            claims = Set.of(keysAndDomains);
            return this;
        }

        public Builder reconciles() {
            reconciles = true;
            comesBack = Return.WITHOUT_A_CHANGE;
            return this;
        }

        public Builder bringsBack(Return when) {
            comesBack = when;
            return this;
        }

        public Builder sendsAgainBy(String order) {
            again = order;
            return this;
        }

        public Builder kubectl(String command) {
            kubectl = command;
            return this;
        }

        public Builder delivers(Delivery how) {
            delivery = Optional.of(how);
            return this;
        }

        public Builder isObserved() {
            isObserved = true;
            return this;
        }

        /** Always the same. */
        public ToolProfile advises(GuidanceCode code) {
            return advises(edit -> code, code);
        }

        /** Chosen by what the edit looks like, out of these codes or other tools'. */
        public ToolProfile advises(Function<SentEdit, GuidanceCode> choice, GuidanceCode... codes) {
            return new ToolProfile(
                    title,
                    label,
                    signs,
                    ownership,
                    claims,
                    reconciles,
                    comesBack,
                    again,
                    kubectl,
                    delivery,
                    isObserved,
                    choice,
                    List.of(codes));
        }
    }
}
