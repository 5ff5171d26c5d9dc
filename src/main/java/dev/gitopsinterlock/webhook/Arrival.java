package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Caller;
import dev.gitopsinterlock.admission.Caller.Stranger;
import dev.gitopsinterlock.cluster.api.Deadline;
import io.vertx.ext.web.RoutingContext;

/**
 * A request whose body has been read. To be made on the request's own thread.
 *
 * @param caller who sent it
 * @param body which whoever reads it releases
 * @param deadline when the caller stops waiting; runs since the first line of the request, however long its body took
 */
record Arrival(Caller caller, Body body, Deadline deadline) {

    static Arrival of(RoutingContext request) {
        var body = Body.of(request);
        var patience = AdmissionTimeout.of(request.request().getParam("timeout"));
        return new Arrival(CallerAuthentication.of(request), body, Deadline.since(body.begun(), patience));
    }

    /** Whether it may keep nobody else waiting. */
    boolean isOfStranger() {
        return caller instanceof Stranger;
    }
}
