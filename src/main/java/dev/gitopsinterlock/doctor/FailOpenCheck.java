package dev.gitopsinterlock.doctor;

import static dev.gitopsinterlock.doctor.Check.FAIL_OPEN;

import java.time.Instant;
import java.util.regex.Pattern;

/** By what the API server counts, from its start on: one of several, where there are several. */
final class FailOpenCheck {

    private static final String UNANSWERED = "apiserver_admission_webhook_fail_open_count";
    private static final String ALL = "apiserver_admission_webhook_request_total";
    private static final Pattern START = Pattern.compile("^process_start_time_seconds (\\S+)", Pattern.MULTILINE);

    /** A Pod that ends suddenly leaves a few behind, which nobody need be woken for. */
    private static final int ONE_IN = 100;

    private FailOpenCheck() {}

    static Diagnosis of(Installation installation) {
        var metrics = installation.metrics();
        var text = metrics.tree().asText();
        var unanswered = sum(text, UNANSWERED);
        var all = Math.max(sum(text, ALL), unanswered);
        var start = START.matcher(text);
        var words = "%d of %d questions had no answer that the API server trusts%s"
                .formatted(
                        unanswered,
                        all,
                        start.find()
                                ? ", since it started at "
                                        + Instant.ofEpochSecond((long) Double.parseDouble(start.group(1)))
                                : "");
        return unanswered * ONE_IN > all
                ? Diagnosis.problem(
                        FAIL_OPEN,
                        words + ". If the other checks are well, it was before",
                        "kubectl get --raw /metrics | grep fail_open_count")
                : Diagnosis.ok(FAIL_OPEN, words);
    }

    private static long sum(String metrics, String name) {
        return (long) metrics.lines()
                .filter(line -> line.startsWith(name + "{") && line.contains(".gitops-interlock.dev\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }
}
