package dev.gitopsinterlock.testing.run;

import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests something that takes a while to start: started with the first test that asks for it, ended with the run.
 * It belongs to the launcher's session, as each class is a run of JUnit's own where several processes share the classes.
 *
 * @param <T> what a test has as a parameter
 */
public abstract class OncePerRun<T extends OncePerRun.Shared> implements ParameterResolver {

    /** Something that the test classes of a process share. */
    public interface Shared extends AutoCloseable {

        /** Takes what is there after the start as what every test class has to leave as it is. */
        void keep();

        @Override
        void close();
    }

    private final Class<T> type;
    private final Function<ExtensionContext, T> start;

    protected OncePerRun(Class<T> type, Function<ExtensionContext, T> start) {
        this.type = type;
        this.start = start;
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == type;
    }

    @Override
    public final T resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return in(context);
    }

    public final T in(ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(getClass()))
                .computeIfAbsent(type, key -> started(context), type);
    }

    private T started(ExtensionContext context) {
        var started = start.apply(context);
        started.keep();
        return started;
    }
}
