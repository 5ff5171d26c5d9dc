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

    /** How an answer of the server begins, in a line of its own: warnings and kubectl's own log may come before. */
    private static final Pattern REFUSAL = Pattern.compile(
            "^(?:Error from server(?: \\((?<reason>\\w+)\\))?|The \\S+ \".*?\" is (?<invalid>invalid)):",
            Pattern.MULTILINE);

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
        var refusal = REFUSAL.matcher(errors);
        if (!refusal.find()) {
            throw Unreadable.trouble(errors);
        }
        var status = refusal.group("invalid") == null ? status(refusal.group("reason")) : UNPROCESSABLE;
        return new Answer(status, errors.substring(refusal.start()));
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
