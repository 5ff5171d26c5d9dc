package dev.gitopsinterlock.config;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;

/**
 * The service that is told to stop, once it has started, ends with 0; the JVM's own way to obey ends with 143, which kubectl
 * shows as an error. Before that the JVM ends at once: Quarkus forgets what it is told while it starts.
 */
@Singleton
final class OrderlyStop {

    /** By reflection, because javac warns about the classes' names in a way that nothing suppresses. */
    void obey(@Observes StartupEvent start) throws ReflectiveOperationException {
        var signal = Class.forName("sun.misc.Signal");
        var handler = Class.forName("sun.misc.SignalHandler");
        signal.getMethod("handle", signal, handler)
                .invoke(
                        null,
                        signal.getConstructor(String.class).newInstance("TERM"),
                        Proxy.newProxyInstance(
                                handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                                    Quarkus.asyncExit(0);
                                    return null;
                                }));
    }
}
