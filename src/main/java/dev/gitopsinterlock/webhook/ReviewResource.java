package dev.gitopsinterlock.webhook;

import dev.gitopsinterlock.admission.Route;
import io.quarkus.arc.All;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Where the API server's reviews come in: each goes to the route that a feature has registered for its path. */
@Path("/")
@Consumes(MediaType.APPLICATION_JSON)
@NonBlocking
public final class ReviewResource {

    private final Map<String, Route<?, ?>> routes;
    private final ReviewPipeline pipeline;

    ReviewResource(@All List<Route<?, ?>> routes, ReviewPipeline pipeline) {
        this.routes = routes.stream().collect(Collectors.toUnmodifiableMap(Route::path, Function.identity()));
        this.pipeline = pipeline;
    }

    /** Answers a review. A small one on the event loop, a large one or one that needs the cluster on another thread. */
    @POST
    @Path("{phase: mutate|validate}/{resource}")
    public CompletionStage<Response> review(
            @PathParam("phase") String phase, @PathParam("resource") String resource, @Context RoutingContext request) {
        var route = routes.get(phase + "/" + resource);
        return route == null
                ? CompletableFuture.completedStage(
                        Response.status(Response.Status.NOT_FOUND).build())
                : pipeline.answer(route, request);
    }
}
