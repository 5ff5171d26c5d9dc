package dev.gitopsinterlock.status;

import dev.gitopsinterlock.admission.Wording;
import dev.gitopsinterlock.status.Facts.Certificate;
import dev.gitopsinterlock.status.Facts.ReplacementState;
import dev.gitopsinterlock.status.Facts.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How one thing stands that the replica depends on.
 *
 * @param name what it is
 * @param text how it stands
 * @param page that helps; empty where nothing is wrong
 */
public record Condition(String name, State state, String text, String page) {

    /** For how long an unauthenticated caller needs a look. */
    private static final Duration RECENT = Duration.ofHours(1);

    /** The part of its lifetime at whose end a certificate should have been renewed. */
    private static final int LAST_PART = 10;

    private static final int MOST_NAMES = 8;

    /** Whether somebody has to do something. */
    public enum State {
        FINE("Fine"),
        OFF("Off"),
        WAITING("Waiting"),
        LOOK("Look");

        private final String label;

        State(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /** The name of its colour in the style sheet. */
        public String style() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** All conditions, those that somebody has to look at among them. */
    public static List<Condition> of(Facts facts, List<NamespacePolicy> policies) {
        var all = new ArrayList<Condition>();
        if (facts.cluster().isBreakGlassOn()) {
            all.add(new Condition(
                    "Break glass",
                    State.LOOK,
                    "On: nothing is judged in this cluster until the annotation is taken from Namespace "
                            + facts.replica().namespace(),
                    "GitopsInterlockBreakGlass"));
        }
        var mistaken = policies.stream()
                .filter(policy -> !policy.mistakes().isEmpty())
                .map(NamespacePolicy::namespace)
                .toList();
        if (!mistaken.isEmpty()) {
            all.add(new Condition(
                    "Policies",
                    State.LOOK,
                    "Annotations without effect, in Namespaces: " + Wording.listed(mistaken, MOST_NAMES),
                    "UnknownPolicyValue"));
        }
        all.add(certificate(facts.certificate(), facts.now()));
        all.add(caller(facts));
        all.add(replacement(facts.replacement()));
        facts.cluster().caches().forEach(cache -> all.add(of(cache)));
        return List.copyOf(all);
    }

    private static Condition certificate(Certificate certificate, Instant now) {
        var text = "Valid until %s (%s); serial %s; from %s"
                .formatted(
                        When.of(certificate.notAfter(), now).clock(),
                        When.of(certificate.notAfter(), now).distance(),
                        certificate.serial(),
                        certificate.source());
        if (certificate.complaint().isPresent()) {
            var why = certificate.complaint().get().toLowerCase(Locale.ROOT).replace('_', ' ');
            return new Condition(
                    "Certificate",
                    State.LOOK,
                    "The one in place is not fit to be served: %s. %s".formatted(why, text),
                    "GitopsInterlockCertificateRejected");
        }
        var lifetime = Duration.between(certificate.notBefore(), certificate.notAfter());
        var isLast = now.isAfter(certificate.notAfter().minus(lifetime.dividedBy(LAST_PART)));
        return isLast
                ? new Condition("Certificate", State.LOOK, text, "GitopsInterlockCertificateExpires")
                : new Condition("Certificate", State.FINE, text, "");
    }

    private static Condition caller(Facts facts) {
        var strange =
                facts.reviews().unauthenticated().filter(last -> facts.now().isBefore(last.plus(RECENT)));
        if (strange.isPresent()) {
            return new Condition(
                    "Callers",
                    State.LOOK,
                    "Somebody called %s who did not prove to be the API server"
                            .formatted(When.of(strange.get(), facts.now()).distance()),
                    "troubleshooting");
        }
        return facts.replacement().isProven()
                ? new Condition("Callers", State.FINE, "The API server proves that it is the one who calls", "")
                : new Condition(
                        "Callers",
                        State.OFF,
                        "Nobody has to prove to be the API server: any Pod that reaches the port gets answers,"
                                + " and a line here",
                        "");
    }

    private static Condition replacement(ReplacementState replacement) {
        var state = replacement.isOn() ? State.FINE : replacement.isWanted() ? State.LOOK : State.OFF;
        return new Condition("Replacement", state, capital(replacement.words()), state == State.LOOK ? "replace" : "");
    }

    private static Condition of(Watch cache) {
        var kept = "%d kept".formatted(cache.kept());
        return switch (cache.state()) {
            case OFF -> watch(cache, State.OFF, "Not watched: no setting needs it", "");
            case STARTING -> watch(cache, State.WAITING, "Not listed yet", "");
            case WATCHED -> watch(cache, State.FINE, kept, "");
            case ABSENT -> watch(cache, State.FINE, "This cluster has none", "");
            case FORBIDDEN ->
                watch(cache, State.LOOK, "May not be watched: the account lacks the right", runbook(cache));
            case LOST -> watch(cache, State.LOOK, "The API server does not answer; " + kept, runbook(cache));
        };
    }

    private static Condition watch(Watch cache, State state, String text, String page) {
        return new Condition("Watch on " + cache.plural(), state, text, page);
    }

    /** The page that helps: what a cache does not know opens the gate. */
    private static String runbook(Watch cache) {
        return cache.plural().equals("namespaces") ? "operations" : "GitopsInterlockGateOpen";
    }

    private static String capital(String words) {
        return Optional.of(words)
                .filter(text -> !text.isEmpty())
                .map(text -> text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1))
                .orElse("");
    }
}
