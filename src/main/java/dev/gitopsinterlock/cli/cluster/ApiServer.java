package dev.gitopsinterlock.cli.cluster;

import dev.gitopsinterlock.cli.input.Unreadable;
import java.time.Duration;
import java.util.regex.Pattern;

/** The way to an API server. */
public interface ApiServer {

    /** For whatever the server sends on to a Pod: one behind a network policy never answers. */
    Duration PATIENCE_WITH_PODS = Duration.ofSeconds(5);

    /** Of whatever a Pod answers, in bytes: it may be anybody's. */
    int MOST_OF_PODS = 8 << 20;

    /** A Service's way to its Pods. */
    Pattern PODS = Pattern.compile("/services/[^/]+/proxy/");

    /** Whether a path is sent on to a Pod. */
    static boolean isForPods(String path) {
        return PODS.matcher(path).find();
    }

    /**
     * Sends a request exactly once and blocks.
     *
     * @param method of HTTP
     * @param path with the query
     * @param body as JSON; empty for none
     * @throws Unreadable where nobody answers, or lets the caller in
     */
    Answer send(String method, String path, String body) throws Unreadable;

    /**
     * What came back.
     *
     * @param status of HTTP, as far as the way tells: 500 stands for any refusal that has no reason of its own
     * @param text the object; where it was refused, the words for people
     */
    record Answer(int status, String text) {

        public boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        public boolean isNotFound() {
            return status == 404;
        }

        public boolean isForbidden() {
            return status == 403;
        }
    }
}
