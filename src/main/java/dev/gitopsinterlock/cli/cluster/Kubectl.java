package dev.gitopsinterlock.cli.cluster;

import dev.gitopsinterlock.cli.input.Program;
import dev.gitopsinterlock.cli.input.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * By kubectl, which knows every way to sign in.
 *
 * @param command the program with its options
 */
record Kubectl(List<String> command) implements ApiServer {

    private static final Map<String, String> VERBS =
            Map.of("GET", "get", "POST", "create", "PUT", "replace", "DELETE", "delete");

    /** The server's warnings, which it sends with whatever it answers, and kubectl's log. */
    private static final Pattern BEFORE = Pattern.compile("^(?:(?:Warning: |[IWEF]\\d{4} ).*\\R)+");

    private static final Pattern REFUSAL = Pattern.compile("^Error from server(?: \\((\\w+)\\))?:");
    private static final Pattern INVALID = Pattern.compile("^The \\S+ \".*?\" is invalid:");
    private static final int SUCCESS = 200;
    private static final int UNPROCESSABLE = 422;
    private static final int UNNAMED = 500;

    Kubectl {
        command = List.copyOf(command);
    }

    @Override
    public Answer send(String method, String path, String body) throws Unreadable {
        var arguments = new ArrayList<>(command);
        arguments.addAll(List.of(VERBS.getOrDefault(method, method), "--raw", path));
        if (!body.isEmpty()) {
            arguments.addAll(List.of("-f", "-"));
        }
        var isForPods = ApiServer.isForPods(path);
        if (isForPods) {
            arguments.add("--request-timeout=" + PATIENCE_WITH_PODS.toSeconds() + "s");
        }
        var result = Program.run(arguments, body, isForPods ? MOST_OF_PODS : Integer.MAX_VALUE);
        return result.code() == 0 ? new Answer(SUCCESS, result.out()) : refusal(result.errors());
    }

    static Answer refusal(String errors) throws Unreadable {
        var words = BEFORE.matcher(errors).replaceFirst("");
        if (INVALID.matcher(words).find()) {
            return new Answer(UNPROCESSABLE, words);
        }
        var refusal = REFUSAL.matcher(words);
        if (!refusal.find()) {
            throw Unreadable.trouble(errors);
        }
        return new Answer(status(refusal.group(1)), words);
    }

    private static int status(@Nullable String reason) {
        return switch (reason) {
            case "Forbidden" -> 403;
            case "NotFound" -> 404;
            case "AlreadyExists", "Conflict" -> 409;
            case "Invalid" -> UNPROCESSABLE;
            case null, default -> UNNAMED;
        };
    }
}
