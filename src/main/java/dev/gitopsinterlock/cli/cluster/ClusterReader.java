package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.input.Program;
import dev.gitopsinterlock.cli.input.Unreadable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Reads objects as plain trees. Blocks. */
public final class ClusterReader {

    private static final int PAGE = 500;
    private static final String NOT_FOUND = "Error from server (NotFound)";

    private final List<String> kubectl;

    ClusterReader(List<String> kubectl) {
        this.kubectl = List.copyOf(kubectl);
    }

    /** One object; empty where there is none. */
    public Optional<JsonNode> get(String path) throws Unreadable {
        var command = new ArrayList<>(kubectl);
        command.addAll(List.of("get", "--raw", path));
        var result = Program.run(command);
        if (result.code() == 0) {
            return Optional.of(JsonText.parse(result.out()));
        }
        if (result.errors().startsWith(NOT_FOUND)) {
            return Optional.empty();
        }
        throw Unreadable.trouble(result.errors());
    }

    /**
     * All objects of a list, page by page: no more than one page is in memory.
     *
     * @param remaining is told after each page how many are left
     */
    public void list(String path, Consumer<JsonNode> each, IntConsumer remaining) throws Unreadable {
        var next = "";
        do {
            var page = get(path + "?limit=" + PAGE + next)
                    .orElseThrow(() -> Unreadable.trouble("the cluster does not know " + path));
            page.path("items").forEach(each);
            remaining.accept(page.at("/metadata/remainingItemCount").asInt());
            var token = page.at("/metadata/continue").asText();
            next = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
        } while (!next.isEmpty());
    }
}
