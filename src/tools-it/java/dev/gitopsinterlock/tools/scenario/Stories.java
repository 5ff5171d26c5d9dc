package dev.gitopsinterlock.tools.scenario;

import java.util.Locale;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test its {@link Story}, prints a line for it when the test has ended, and holds it against its golden.
 * {@code -Dgolden.update=true} writes the goldens anew; read the difference before committing it.
 */
public final class Stories implements ParameterResolver, BeforeTestExecutionCallback, AfterTestExecutionCallback {

    private static final Namespace STORE = Namespace.create(Stories.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Story.class;
    }

    @Override
    public Story resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(STORE)
                .computeIfAbsent(
                        Story.class,
                        key -> new Story(context.getRequiredTestClass().getSimpleName() + "."
                                + context.getRequiredTestMethod().getName()),
                        Story.class);
    }

    @Override
    public void beforeTestExecution(ExtensionContext context) {
        context.getStore(STORE).put("begin", System.nanoTime());
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        var begin = context.getStore(STORE).getOrDefault("begin", Long.class, System.nanoTime());
        var story = context.getStore(STORE).get(Story.class, Story.class);
        boolean failed = context.getExecutionException().isPresent();
        System.out.printf(
                Locale.ROOT,
                "story: %s; Kubernetes %s, %s, %.1f s%n",
                story == null || !story.isTold() ? title(context) : told(story.scenario()),
                System.getProperty("kubernetes.version"),
                failed ? "FAILED" : "passed",
                (System.nanoTime() - begin) / 1e9);
        if (story != null && story.isTold() && !failed) {
            Goldens.compare(story.scenario());
        }
    }

    private static String told(Scenario scenario) {
        return "%s, %s, %s, %s: %s; Job %s; afterwards %s; \"%s\""
                .formatted(
                        scenario.tool(),
                        scenario.situation(),
                        scenario.mode(),
                        scenario.policy(),
                        scenario.status(),
                        scenario.job(),
                        scenario.afterwards(),
                        scenario.words().replace('\n', ' '));
    }

    private static String title(ExtensionContext context) {
        return context.getDisplayName() + ": "
                + context.getRequiredTestMethod()
                        .getName()
                        .replaceAll("(?=[A-Z])", " ")
                        .toLowerCase(Locale.ROOT);
    }
}
