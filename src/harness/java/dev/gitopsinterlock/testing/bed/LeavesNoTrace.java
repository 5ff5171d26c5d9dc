package dev.gitopsinterlock.testing.bed;

import static java.util.stream.Collectors.joining;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Fails a test class that leaves a control plane, which it shares with others, otherwise than it found it. Before it
 * looks, it removes what the class got from {@link ControlPlane}: Namespaces and accounts. It is registered for all
 * classes, ahead of their own extensions, and so comes after all that they do.
 */
public final class LeavesNoTrace implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) {
        var type = context.getRequiredTestClass();
        // one that runs beside others has control planes of its own, and theirs are in use
        if (type.getEnclosingClass() != null || context.getExecutionMode() == ExecutionMode.CONCURRENT) {
            return;
        }
        var differences = ControlPlane.shared().stream()
                .map(ControlPlane::clear)
                .filter(words -> !words.isEmpty())
                .collect(joining("; "));
        if (!differences.isEmpty()) {
            throw new AssertionError(
                    type.getSimpleName() + " leaves a control plane that others share otherwise than it"
                            + " found it: it " + differences + ".");
        }
    }
}
