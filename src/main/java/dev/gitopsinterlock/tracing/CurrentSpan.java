package dev.gitopsinterlock.tracing;

import java.lang.ScopedValue.CallableOp;
import java.util.Optional;

/**
 * The span of what the current thread works on. Where there is none, everything here does what it is given and nothing
 * else.
 */
public final class CurrentSpan {

    private static final ScopedValue<Span> CURRENT = ScopedValue.newInstance();

    private CurrentSpan() {}

    /** Does the work for this span; neither ends it. */
    public static <T, X extends Throwable> T during(Optional<Span> span, CallableOp<T, X> work) throws X {
        return span.isPresent() ? ScopedValue.where(CURRENT, span.get()).call(work) : work.call();
    }

    /** Does the work within a span of its own. */
    public static <T, X extends Throwable> T step(String name, CallableOp<T, X> work) throws X {
        return CURRENT.isBound() ? within(CURRENT.get().begin(name), work) : work.call();
    }

    /** Does work within a span of its own that stands for a call to another service. */
    public static <T, X extends Throwable> T call(String name, CallableOp<T, X> work) throws X {
        return CURRENT.isBound() ? within(CURRENT.get().beginCall(name), work) : work.call();
    }

    private static <T, X extends Throwable> T within(Span span, CallableOp<T, X> work) throws X {
        var isDone = false;
        try {
            var result = ScopedValue.where(CURRENT, span).call(work);
            isDone = true;
            return result;
        } finally {
            if (!isDone) {
                span.failed();
            }
            span.end();
        }
    }

    /** Says more about it: a token or a name, never a value of an object. */
    public static void note(String key, String value) {
        if (CURRENT.isBound()) {
            CURRENT.get().note(key, value);
        }
    }

    /** What a call that is made now belongs to, as {@link Tracing#HEADER} has it. */
    public static Optional<String> header() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get().header()) : Optional.empty();
    }
}
