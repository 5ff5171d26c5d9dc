package dev.gitopsinterlock.cli.input;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ProgramTest {

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
