package dev.gitopsinterlock.system.compatibility;

import dev.gitopsinterlock.system.compatibility.Runs.Run;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * A line of the table.
 *
 * @param tests whose runs it tells of: all of them on one version
 * @param words for these runs, in the order of the tests
 */
record Row(String label, List<String> tests, Function<List<Run>, String> words) {

    static final String EDITS = "edits";

    /** Whether the tests passed. */
    static Row passed(String label, String... tests) {
        return new Row(label, List.of(tests), Row::passed);
    }

    /** How many edits stand behind a zero. */
    static Row zero(String label, String test, String of, String... wrong) {
        return new Row(label, List.of(test), runs -> {
            var run = runs.getFirst();
            var counts = String.format(
                    Locale.ROOT,
                    "%,d of %,d",
                    Arrays.stream(wrong).mapToInt(run::number).sum(),
                    run.number(of));
            return of.equals(EDITS) ? counts : counts + String.format(Locale.ROOT, " (%,d edits)", run.number(EDITS));
        });
    }

    private static String passed(List<Run> runs) {
        var failed = runs.stream().mapToInt(Run::failed).sum();
        return failed == 0
                ? "yes"
                : "**%d of %d tests failed**"
                        .formatted(failed, runs.stream().mapToInt(Run::tests).sum());
    }
}
