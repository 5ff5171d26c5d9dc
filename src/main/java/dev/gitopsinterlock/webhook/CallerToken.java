package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Optional;

/**
 * The word by which the API server is told from others. A review says itself who sent it: without the word it is good
 * enough to be answered, and not to be acted on.
 *
 * @param word the last part of the registration's paths; empty where nobody is told apart
 */
record CallerToken(Optional<String> word) {

    /**
     * Whether a review that came in on a path with this ending is to be trusted. Takes the same time however much of it
     * is right.
     */
    boolean isIn(String ending) {
        return word.map(expected -> MessageDigest.isEqual(("/" + expected).getBytes(UTF_8), ending.getBytes(UTF_8)))
                .orElse(true);
    }
}
