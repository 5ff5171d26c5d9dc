package dev.gitopsinterlock.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProgramTest {

    @Test
    @Timeout(60)
    void whatAnswersBeforeItHasReadEverythingIsHeard() throws Unreadable {
        var text = "a".repeat(1 << 20);

        assertThat(Program.run(List.of("cat"), text, Integer.MAX_VALUE).out()).isEqualTo(text);
    }

    /** Neither it nor what it has started keeps anybody. */
    @Test
    @Timeout(60)
    void whatDoesNotEndIsStoppedAndNamed() {
        var endless = new ProcessBuilder("sh", "-c", "sleep 1000 & sleep 1000");

        assertThatThrownBy(() -> Program.run(endless, "", 1, Duration.ofMillis(100)))
                .isInstanceOf(Unreadable.class)
                .hasMessage("stopped after 0 minutes, run it yourself to see what it waits for: sh -c "
                        + "sleep 1000 & sleep 1000");
    }
}
