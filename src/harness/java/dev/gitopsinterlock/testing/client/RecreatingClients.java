package dev.gitopsinterlock.testing.client;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Clients that delete an object and create it again where the words of a refusal tell them to, by what each looks for. kubectl
 * and Argo CD with force, and kapp, do so at each invalid edit, whatever its words.
 */
public final class RecreatingClients {

    private static final Map<String, Pattern> LOOK_FOR = Map.of(
            "whoever looks for the usual words, such as nelm 1", Pattern.compile("field is immutable"),
            "Flux (fluxcd/pkg:ssa/errors)", Pattern.compile("is\\simmutable|immutable\\sfield"),
            "Tilt (internal/k8s/client.go, 0.37.6)", Pattern.compile("field is immutable|Forbidden:"),
            "nelm (internal/kube)",
                    Pattern.compile("\\b(field is immutable|is immutable after creation|updates to \\S+ are forbidden"
                            + "|updates to statefulset spec for fields other than .* are forbidden)\\b"));

    private RecreatingClients() {}

    /** Those that would, by their names, sorted. */
    public static List<String> toldBy(String words) {
        return LOOK_FOR.entrySet().stream()
                .filter(client -> client.getValue().matcher(words).find())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }
}
