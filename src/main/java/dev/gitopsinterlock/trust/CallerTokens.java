package dev.gitopsinterlock.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.util.List;

/** The rotating tokens that are accepted at this moment; none until the Secret has been read. Thread-safe. */
@Singleton
public final class CallerTokens {

    private volatile List<byte[]> accepted = List.of();

    /** Takes the same time however much of a token is right. */
    public boolean isAccepted(byte[] given) {
        var isKnown = false;
        for (var expected : accepted) {
            isKnown |= MessageDigest.isEqual(expected, given);
        }
        return isKnown;
    }

    void accept(List<String> tokens) {
        accepted = tokens.stream().map(token -> token.getBytes(UTF_8)).toList();
    }
}
