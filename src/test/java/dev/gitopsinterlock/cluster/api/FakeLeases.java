package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Leases of one Namespace in memory, all with the labels that are asked for. That a real API server does the same, HubIT shows. */
public final class FakeLeases extends FakeServer {

    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/gitops-interlock/leases";

    private final ProcessClock clock;
    private final Map<String, JsonNode> leases = new TreeMap<>();
    private final List<String> requests = new ArrayList<>();
    private final Map<String, Integer> refusals = new HashMap<>();
    private Optional<Runnable> atFirst = Optional.empty();

    public FakeLeases(ProcessClock clock) {
        this.clock = clock;
    }

    public Set<String> names() {
        return leases.keySet();
    }

    public JsonNode lease(String name) {
        return Objects.requireNonNull(leases.get(name), name);
    }

    /** Those that came, each as its method and the Lease's name. */
    public List<String> requests() {
        return requests;
    }

    /** From now on what is asked for this Lease is answered by this status; 0: as it should be. */
    public void refuse(String name, int status) {
        refusals.put(name, status);
    }

    /** What happens while the next request is under way. */
    public void atFirstRequest(Runnable event) {
        atFirst = Optional.of(event);
    }

    @Override
    public ApiAnswer send(ApiRequest request) {
        var name = request.path()
                .replaceFirst("[?].*", "")
                .substring(PATH.length())
                .replaceFirst("/", "");
        requests.add((request.method() + " " + name).strip());
        atFirst.ifPresent(Runnable::run);
        atFirst = Optional.empty();
        int refusal = refusals.getOrDefault(name, 0);
        if (refusal != 0) {
            return answer(refusal, Trees.json("{'message': 'no'}"));
        }
        return switch (request.method()) {
            case "GET" -> {
                var list = Trees.JSON.createObjectNode();
                list.putArray("items").addAll(leases.values());
                yield answer(200, list);
            }
            case "PATCH" -> {
                leases.put(name, request.body());
                yield answer(200, request.body());
            }
            case "DELETE" -> answer(leases.remove(name) == null ? 404 : 200, Trees.json("{}"));
            default -> throw new AssertionError(request.method());
        };
    }

    private ApiAnswer answer(int status, JsonNode body) {
        return new ApiAnswer(status, body, Optional.of(clock.now()));
    }
}
