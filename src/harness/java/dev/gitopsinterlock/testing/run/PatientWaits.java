package dev.gitopsinterlock.testing.run;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every wait of a test that names no limit of its own give up at {@link Patience#LIMIT}, and look seldom where it takes
 * long: many a look starts kubectl.
 */
public final class PatientWaits implements BeforeAllCallback {

    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final Duration SELDOM = Duration.ofMillis(500);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(
                last -> last.multipliedBy(2).compareTo(SELDOM) < 0 ? last.multipliedBy(2) : SELDOM, OFTEN));
    }
}
