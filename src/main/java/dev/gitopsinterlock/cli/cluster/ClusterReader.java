package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.cluster.ApiServer.Answer;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.doctor.MissingRight;
import dev.gitopsinterlock.doctor.Reading;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Reads objects as plain trees. Blocks. */
public final class ClusterReader {

    private static final int PAGE = 500;

    private final ApiServer server;

    public ClusterReader(ApiServer server) {
        this.server = server;
    }

    /** The object that an answer holds. */
    public static JsonNode parse(Answer answer) throws Unreadable {
        return JsonText.parse(answer.text());
    }

    /** One object; empty where there is none. */
    public Optional<JsonNode> get(String path) throws Unreadable {
        var answer = server.send("GET", path, "");
        if (answer.isSuccess()) {
            return Optional.of(parse(answer));
        }
        if (answer.isNotFound()) {
            return Optional.empty();
        }
        throw Unreadable.trouble(answer.text());
    }

    /** What is at a path; a refusal is a part of the result. */
    public Reading read(String path) throws Unreadable {
        return reading(server.send("GET", path, ""));
    }

    /** What an answer holds; a refusal is a part of the result, and so is what nobody can read. */
    public static Reading reading(Answer answer) {
        if (answer.isSuccess()) {
            try {
                return Reading.of(parse(answer));
            } catch (Unreadable e) {
                return Reading.refused(String.valueOf(e.getMessage()));
            }
        }
        return answer.isNotFound()
                ? Reading.absent()
                : Reading.refused(MissingRight.in(answer.text()).orElse(answer.text()));
    }

    /** What one of the Pods behind a Service shows on its management port; empty where none does, or nobody may ask. */
    public Optional<String> ofPods(String namespace, String service, String path) {
        return text("/api/v1/namespaces/%s/services/http:%s:9000/proxy%s".formatted(namespace, service, path));
    }

    /** What is at a path, as it comes; empty where there is nothing, or nobody may ask. */
    public Optional<String> text(String path) {
        try {
            return Optional.of(server.send("GET", path, ""))
                    .filter(Answer::isSuccess)
                    .map(Answer::text);
        } catch (Unreadable e) {
            return Optional.empty();
        }
    }

    /** What its API server runs, for example {@code v1.37.2}. */
    public String version() throws Unreadable {
        return get("/version")
                .map(version -> version.path("gitVersion").asText())
                .orElse("of no version that it tells");
    }

    /**
     * All objects of a list, page by page: no more than one page is in memory.
     *
     * @param path with or without a query
     * @param remaining is told after each page how many are left
     * @return false where the cluster has no such kind
     */
    public boolean list(String path, Consumer<JsonNode> each, IntConsumer remaining) throws Unreadable {
        var next = "";
        do {
            var page = get(path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE + next);
            if (page.isEmpty()) {
                return false;
            }
            page.get().path("items").forEach(each);
            remaining.accept(page.get().at("/metadata/remainingItemCount").asInt());
            var token = page.get().at("/metadata/continue").asText();
            next = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        } while (!next.isEmpty());
        return true;
    }
}
