package dev.gitopsinterlock.cluster.api;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An API server of few words: each kind of request gets the answer that it was told to give. */
public final class FakeAnswers extends FakeServer {

    private record Rule(
            Predicate<ApiRequest> about, @Nullable ApiAnswer answer) {}

    private final List<Rule> rules = new java.util.concurrent.CopyOnWriteArrayList<>();
    private final BlockingQueue<ApiRequest> requests = new LinkedBlockingQueue<>();

    /** To requests whose path contains this; the newest rule counts. */
    public void to(String path, ApiAnswer answer) {
        rules.addFirst(new Rule(request -> request.path().contains(path), answer));
    }

    /** Nobody answers these. */
    public void silentTo(String path) {
        rules.addFirst(new Rule(request -> request.path().contains(path), null));
    }

    /** Waits for the next one. */
    public ApiRequest next() throws InterruptedException {
        return requests.take();
    }

    /** How many have come and were not taken by {@link #next}. */
    public int waiting() {
        return requests.size();
    }

    @Override
    public ApiAnswer send(ApiRequest request) throws IOException {
        requests.add(request);
        var answer = rules.stream()
                .filter(rule -> rule.about().test(request))
                .findFirst()
                .map(Rule::answer);
        return answer.orElseThrow(() -> new IOException("no answer"));
    }
}
