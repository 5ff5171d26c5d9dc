package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an API server does with the requests of a replacement, in memory, and what may go wrong with each of them. That a
 * real one does so, ReplaceFaultsIT and ReplaceObstaclesIT show.
 */
public final class FakeApiServer implements ApiTransport {

    static final String JOBS = "/apis/batch/v1/namespaces/shop/jobs";
    private static final String SECRETS = "/api/v1/namespaces/gitops-interlock/secrets";
    private static final String KEY = "gitops-interlock-intent-key";
    private static final String NAMESPACES = "/api/v1/namespaces/shop";
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    private static final String EVENTS = "/apis/events.k8s.io/";

    /** The requests that faults are for. */
    public enum Call {
        LOOK,
        WATCH,
        MAY,
        TRY_TO_CREATE,
        TRY_TO_DELETE,
        NAMESPACE,
        READ_KEY,
        MAKE_KEY,
        KEEP,
        DELETE,
        CREATE,
        RETRIGGER,
        READ_INTENT,
        LIST_INTENTS,
        DROP_INTENT,
        EVENT
    }

    /** What happens to a request. */
    public sealed interface Fault {

        /** Nothing; it is answered. */
        record None() implements Fault {}

        /** Nobody answers, and nothing is done. */
        record LostBefore() implements Fault {}

        /** It is done, and nobody answers. */
        record LostAfter() implements Fault {}

        /** It is not done. */
        record Refused(int status, JsonNode body) implements Fault {}

        Fault NONE = new None();
        Fault LOST_BEFORE = new LostBefore();
        Fault LOST_AFTER = new LostAfter();

        static Fault status(int status) {
            return new Refused(status, Trees.JSON.createObjectNode());
        }

        static Fault refused(int status, String words) {
            return new Refused(status, Trees.JSON.createObjectNode().put("message", words));
        }
    }

    private final FakeClock clock;
    private final Map<String, ObjectNode> jobs = new TreeMap<>();
    private final Map<String, ObjectNode> secrets = new TreeMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<Call, Deque<Fault>> faults = new EnumMap<>(Call.class);
    private final Map<Call, Fault> lasting = new EnumMap<>(Call.class);
    private final Map<Call, Deque<Runnable>> before = new EnumMap<>(Call.class);
    private final List<String> deniedVerbs = new ArrayList<>();
    private Optional<ObjectNode> removed = Optional.empty();
    private String namespaceUid = "n-100";
    private int version = 100;
    private int looksUntilGone = 2;

    public FakeApiServer(FakeClock clock) {
        this.clock = clock;
    }

    /** For the next requests of that kind, one after the other; the ones after these are answered. */
    public void next(Call call, Fault... next) {
        faults.computeIfAbsent(call, key -> new ArrayDeque<>()).addAll(List.of(next));
    }

    /** For all requests of that kind from now on. */
    public void always(Call call, Fault fault) {
        lasting.put(call, fault);
    }

    /** What others do in the moment before the next request of that kind arrives. */
    public void justBefore(Call call, Runnable others) {
        before.computeIfAbsent(call, key -> new ArrayDeque<>()).add(others);
    }

    /** What a requester may not do with Jobs. */
    public void deny(String verb) {
        deniedVerbs.add(verb);
    }

    public synchronized Optional<JsonNode> job(String name) {
        return Optional.ofNullable(jobs.get(name));
    }

    /** How often one that leaves its dependents behind is still seen; negative: it stays. */
    public synchronized void letGoAfter(int looks) {
        looksUntilGone = looks;
    }

    /** As anybody would; gives it a uid and a version. */
    public synchronized ObjectNode create(JsonNode job) {
        ObjectNode created = job.deepCopy();
        created.withObject("/metadata")
                .put("uid", "u-" + ++version)
                .put("creationTimestamp", clock.now().toString());
        return write(created);
    }

    public synchronized ObjectNode write(ObjectNode job) {
        job.withObject("/metadata").put("resourceVersion", Integer.toString(++version));
        jobs.put(name(job), job);
        return job.deepCopy();
    }

    public synchronized void remove(String name) {
        removed = Optional.ofNullable(jobs.remove(name));
    }

    /** Somebody deletes the Namespace, and somebody makes one of that name. */
    public synchronized void makeNamespaceAnew() {
        jobs.clear();
        namespaceUid = "n-" + ++version;
    }

    public synchronized List<String> intents() {
        return secrets.keySet().stream().filter(name -> !name.equals(KEY)).toList();
    }

    public synchronized ObjectNode secret(String name) {
        return Objects.requireNonNull(secrets.get(name)).deepCopy();
    }

    /** As anybody would who may. */
    public synchronized void keep(ObjectNode secret) {
        secret.withObject("/metadata").put("creationTimestamp", clock.now().toString());
        secrets.put(name(secret), secret.deepCopy());
    }

    public synchronized void forgetIntents() {
        secrets.keySet().removeIf(name -> !name.equals(KEY));
    }

    public synchronized void forgetKey() {
        secrets.remove(KEY);
    }

    /** Those about Jobs and intents, in their order. */
    public synchronized List<Call> calls() {
        return calls.stream().filter(call -> call != Call.EVENT).toList();
    }

    @Override
    public String ownNamespace() {
        return "gitops-interlock";
    }

    @Override
    public synchronized ApiAnswer send(ApiRequest request) throws IOException {
        var call = call(request);
        calls.add(call);
        Optional.ofNullable(before.get(call)).map(Deque::poll).ifPresent(Runnable::run);
        var fault =
                Optional.ofNullable(faults.get(call)).map(Deque::poll).orElse(lasting.getOrDefault(call, Fault.NONE));
        return switch (fault) {
            case Fault.None() -> dated(answer(call, request));
            case Fault.LostBefore() -> throw lost(request);
            case Fault.LostAfter() -> {
                answer(call, request);
                throw lost(request);
            }
            case Fault.Refused(var status, var body) -> dated(new ApiAnswer(status, body));
        };
    }

    private ApiAnswer dated(ApiAnswer answer) {
        return new ApiAnswer(
                answer.status(), answer.body(), Optional.of(clock.now().truncatedTo(ChronoUnit.SECONDS)));
    }

    private IOException lost(ApiRequest request) {
        clock.pass(request.patience());
        return new IOException("no answer");
    }

    /** An object that is on its way out goes then, if it ever does. */
    @Override
    public synchronized Optional<JsonNode> watch(ApiRequest request, Predicate<JsonNode> isAwaited) throws IOException {
        var answer = send(request);
        if (!answer.isSuccess()) {
            throw new IOException("no watch");
        }
        if (answer.body().isEmpty()) {
            clock.pass(Duration.ofSeconds(1));
        }
        return Optional.of(answer.body()).filter(isAwaited);
    }

    private static Call call(ApiRequest request) {
        var path = request.path();
        var isDryRun = path.contains("dryRun=All");
        return switch (request.method()) {
            case "GET" ->
                path.contains("watch=true")
                        ? Call.WATCH
                        : path.equals(NAMESPACES)
                                ? Call.NAMESPACE
                                : path.endsWith(KEY)
                                        ? Call.READ_KEY
                                        : !path.startsWith(SECRETS)
                                                ? Call.LOOK
                                                : path.contains("?") ? Call.LIST_INTENTS : Call.READ_INTENT;
            case "DELETE" -> path.startsWith(SECRETS) ? Call.DROP_INTENT : isDryRun ? Call.TRY_TO_DELETE : Call.DELETE;
            case "PATCH" -> Call.RETRIGGER;
            case "POST" ->
                path.startsWith(EVENTS)
                        ? Call.EVENT
                        : path.startsWith(REVIEWS)
                                ? Call.MAY
                                : path.startsWith(SECRETS)
                                        ? name(request.body()).equals(KEY) ? Call.MAKE_KEY : Call.KEEP
                                        : isDryRun ? Call.TRY_TO_CREATE : Call.CREATE;
            default -> throw new IllegalArgumentException(request.method());
        };
    }

    private ApiAnswer answer(Call call, ApiRequest request) {
        var name = request.path().replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        var body = request.body();
        return switch (call) {
            case LOOK -> looked(name);
            case WATCH -> {
                var event = Trees.JSON.createObjectNode();
                jobs.values().stream()
                        .filter(job -> job.path("metadata").has("deletionTimestamp") && looksUntilGone >= 0)
                        .findAny()
                        .ifPresent(job -> remove(name(job)));
                removed.ifPresent(job -> event.put("type", "DELETED").set("object", job.deepCopy()));
                yield ok(event);
            }
            case MAY ->
                ok(Trees.json("{'status': {'allowed': %s}}"
                        .formatted(!deniedVerbs.contains(
                                body.at("/spec/resourceAttributes/verb").asText()))));
            case TRY_TO_CREATE -> jobs.containsKey(name(body)) ? alreadyExists() : created(body);
            case CREATE -> jobs.containsKey(name(body)) ? alreadyExists() : created(create(body));
            case TRY_TO_DELETE -> deleted(jobs.get(name), body, false);
            case DELETE -> deleted(jobs.get(name), body, true);
            case RETRIGGER -> retriggered(jobs.get(name), body);
            case NAMESPACE -> ok(Trees.json("{'metadata': {'uid': '%s'}}".formatted(namespaceUid)));
            case KEEP, MAKE_KEY -> {
                if (secrets.containsKey(name(body))) {
                    yield alreadyExists();
                }
                keep(body.deepCopy());
                yield created(body);
            }
            case READ_INTENT, READ_KEY -> found(secrets.get(name));
            case LIST_INTENTS -> {
                var list = Trees.JSON.createObjectNode();
                list.putArray("items")
                        .addAll(intents().stream().map(this::secret).toList());
                yield ok(list);
            }
            case DROP_INTENT -> found(secrets.remove(name));
            case EVENT -> created(body);
        };
    }

    private ApiAnswer deleted(@Nullable ObjectNode job, JsonNode options, boolean forReal) {
        if (job == null) {
            return new ApiAnswer(404, Trees.JSON.createObjectNode());
        }
        var isMeant = Stream.of("uid", "resourceVersion")
                .allMatch(field -> options.at("/preconditions/" + field).isMissingNode()
                        || options.at("/preconditions/" + field)
                                .equals(job.path("metadata").path(field)));
        if (!isMeant) {
            return new ApiAnswer(409, Trees.json("{'reason': 'Conflict', 'message': 'the precondition failed'}"));
        }
        if (forReal && options.path("propagationPolicy").asText().equals("Orphan")) {
            job.withObject("/metadata").put("deletionTimestamp", clock.now().toString());
            write(job);
        } else if (forReal) {
            jobs.remove(name(job));
        }
        return ok(job);
    }

    /** What is on its way out goes after so many looks. */
    private ApiAnswer looked(String name) {
        var job = jobs.get(name);
        if (job != null && job.path("metadata").has("deletionTimestamp") && looksUntilGone-- == 0) {
            jobs.remove(name);
        }
        return found(jobs.get(name));
    }

    private ApiAnswer retriggered(@Nullable ObjectNode job, JsonNode patch) {
        if (job == null) {
            return new ApiAnswer(404, Trees.JSON.createObjectNode());
        }
        if (!job.at("/metadata/uid").equals(patch.at("/metadata/uid"))) {
            return new ApiAnswer(409, Trees.json("{'reason': 'Conflict'}"));
        }
        patch.at("/metadata/annotations")
                .properties()
                .forEach(annotation ->
                        job.withObject("/metadata/annotations").set(annotation.getKey(), annotation.getValue()));
        return ok(write(job));
    }

    private static ApiAnswer found(@Nullable JsonNode object) {
        return object == null ? new ApiAnswer(404, Trees.JSON.createObjectNode()) : ok(object);
    }

    private static ApiAnswer ok(JsonNode body) {
        return new ApiAnswer(200, Objects.requireNonNull(body).deepCopy());
    }

    private static ApiAnswer created(JsonNode body) {
        return new ApiAnswer(201, body.deepCopy());
    }

    private static ApiAnswer alreadyExists() {
        return new ApiAnswer(409, Trees.json("{'reason': 'AlreadyExists', 'message': 'it exists'}"));
    }

    private static String name(JsonNode object) {
        return object.at("/metadata/name").asText();
    }
}
