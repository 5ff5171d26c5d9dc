package dev.gitopsinterlock.testing.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** Files with texts that were reviewed, which a run compares, or writes anew with {@code -Dgolden.update=true}. */
public final class GoldenFiles {

    private static final String REMEDY = "make golden";

    private GoldenFiles() {}

    /** Whether this run writes them instead of comparing. */
    public static boolean areWritten() {
        return Boolean.getBoolean("golden.update");
    }

    /**
     * Fails unless the file has exactly this text; a file that does not exist fails too. In a run that writes, nothing
     * is compared: the file has the text afterwards, and is made with the folders above it if it did not exist.
     */
    public static void compare(Path golden, String text) {
        compare(golden, text, REMEDY);
    }

    /** The same for a file that another target of the Makefile writes, such as {@code make scenarios}. */
    public static void compare(Path golden, String text, String target) {
        if (areWritten()) {
            Texts.write(golden, text);
        } else {
            check(target, () -> {
                assertThat(golden).exists();
                assertThat(text).as("what is to be in %s", golden).isEqualTo(Texts.read(golden));
            });
        }
    }

    /** Fails unless both texts are the same; a run that writes has the actual one written instead. */
    public static void compare(String expected, String actual, Runnable write) {
        if (!areWritten()) {
            check(REMEDY, () -> assertThat(actual).isEqualTo(expected));
        } else if (!actual.equals(expected)) {
            write.run();
        }
    }

    /** Whatever fails says in the end which target writes what is compared. */
    public static void check(String target, Runnable comparison) {
        try {
            comparison.run();
        } catch (AssertionError e) {
            throw new AssertionError("%s%n`%s` writes it anew".formatted(e.getMessage(), target), e);
        }
    }

    /**
     * The same for a part of a page that people write: what is between {@code <!-- section -->} and {@code
     * <!-- /section -->}. Fails if there is no such part, in a run that writes, too.
     */
    public static void compareSection(Path page, String section, String text) {
        var before = Texts.read(page);
        var begin = "<!-- " + section + " -->";
        var from = before.indexOf(begin);
        var to = before.indexOf("<!-- /" + section + " -->");
        assertThat(from).as("%s in %s", begin, page).isNotNegative().isLessThan(to);
        compare(page, before.substring(0, from) + begin + text + before.substring(to));
    }
}
