package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Unauthenticated;
import dev.gitopsinterlock.cluster.api.Deadline;
import dev.gitopsinterlock.tracing.Span;
import dev.gitopsinterlock.tracing.Tracing;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body has been read. To be made on the request's own thread.
 *
 * @param caller who sent it
 * @param body which whoever reads it releases
 * @param deadline when the caller stops waiting; runs since the first line of the request, however long its body took
 * @param span where it is noted what its time goes into, if the caller follows it
 */
record Arrival(Caller caller, Body body, Deadline deadline, Optional<Span> span) {

    static Arrival of(RoutingContext request, Function<@Nullable String, Optional<Span>> spans) {
        var body = Body.of(request);
        var patience = AdmissionTimeout.of(request.request().getParam("timeout"));
        var caller = CallerAuthentication.of(request);
        return new Arrival(
                caller,
                body,
                Deadline.since(body.begun(), patience),
                caller instanceof Unauthenticated
                        ? Optional.empty()
                        : spans.apply(request.request().getHeader(Tracing.HEADER)));
    }

    /** Whether it may keep nobody else waiting. */
    boolean isUnauthenticated() {
        return caller instanceof Unauthenticated;
    }
}
