package dev.gitopsinterlock.testing;

import java.util.Locale;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** Prints a line for each test: which tool, what happens, on which Kubernetes, and how it ended. */
public final class Stories implements BeforeTestExecutionCallback, AfterTestExecutionCallback {

    private static final Namespace STORE = Namespace.create(Stories.class);

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        context.getStore(STORE).put("begin", System.nanoTime());
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        var begin = context.getStore(STORE).getOrDefault("begin", Long.class, System.nanoTime());
        System.out.printf(
                Locale.ROOT,
                "story: %s: %s, Kubernetes %s: %s, %.1f s%n",
                context.getDisplayName(),
                inWords(context.getRequiredTestMethod().getName()),
                System.getProperty("kubernetes.version"),
                context.getExecutionException().isPresent() ? "FAILED" : "passed",
                (System.nanoTime() - begin) / 1e9);
    }

    private static String inWords(String camelCase) {
        return camelCase.replaceAll("(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }
}
