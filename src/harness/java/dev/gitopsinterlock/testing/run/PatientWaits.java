package dev.gitopsinterlock.testing.run;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets every wait of a test that names no limit of its own give up at {@link Patience#LIMIT}. */
public final class PatientWaits implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(Patience.LIMIT);
    }
}
