package dev.gitopsinterlock.trust;

import dev.gitopsinterlock.cluster.api.ApiAnswer;
import dev.gitopsinterlock.cluster.api.KubernetesApi;
import dev.gitopsinterlock.cluster.api.KubernetesApi.Patch;
import jakarta.inject.Provider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * Writes CAs and the path with the caller's token into the webhook configurations, as far as they lack them, and says in the
 * log once what it could not write. Blocks; call it from one thread, but for {@link #isComplete}.
 */
final class WebhookPublication {

    private static final Logger LOG = Logger.getLogger(WebhookPublication.class);
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/";

    private final Provider<KubernetesApi> api;

    /** Configurations that somebody else wrote while we were at it, at the last look. */
    private final Set<String> overtaken = new HashSet<>();

    private volatile boolean isComplete = true;
    private String said = "";

    WebhookPublication(Provider<KubernetesApi> api) {
        this.api = api;
    }

    /** Whether the configurations say at the last look what they are to say, or could be made to. */
    boolean isComplete() {
        return isComplete;
    }

    /** The webhook configurations that are there: whoever deletes one switches us off. */
    Map<String, ApiAnswer> configurations(List<String> names) throws IOException {
        var found = new LinkedHashMap<String, ApiAnswer>();
        for (var name : names) {
            var answer = api.get().get(WEBHOOKS + name, KubernetesApi.PATIENCE);
            if (answer.status() != 404) {
                found.put(name, answer);
            }
        }
        return found;
    }

    void publish(Map<String, ApiAnswer> configurations, String bundle, Optional<String> token) throws IOException {
        var problems = new ArrayList<String>();
        var overtakenBefore = Set.copyOf(overtaken);
        overtaken.clear();
        for (var configuration : configurations.entrySet()) {
            var answer = publish(configuration.getKey(), configuration.getValue(), bundle, token);
            if (isOvertaken(answer)) {
                overtaken.add(configuration.getKey());
            }
            var isFirstTime = isOvertaken(answer) && !overtakenBefore.contains(configuration.getKey());
            if (!answer.isSuccess() && !isFirstTime) {
                problems.add("%s (%s)".formatted(configuration.getKey(), answer.words()));
            }
        }
        isComplete = problems.isEmpty();
        var complaint = String.join(", ", problems);
        if (!complaint.isEmpty() && !complaint.equals(said)) {
            LOG.errorf(
                    "CAs and paths could not be written into %s; API servers keep what they have until that succeeds",
                    complaint);
        }
        said = complaint;
    }

    private ApiAnswer publish(String name, ApiAnswer read, String bundle, Optional<String> token) throws IOException {
        if (!read.isSuccess()) {
            return read;
        }
        var patch = WebhookTrust.patch(read.body(), bundle, token);
        if (patch.isEmpty()) {
            return read;
        }
        var answer = api.get().patch(WEBHOOKS + name, Patch.JSON, patch.get(), KubernetesApi.PATIENCE);
        return answer.status() == 404 ? read : answer;
    }

    /** Somebody was first, which happens once: the next look tells what is left to do. */
    private static boolean isOvertaken(ApiAnswer answer) {
        return answer.status() == 409 || answer.status() == 422;
    }
}
