package dev.gitopsinterlock.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What a request is answered with. */
@SuppressWarnings("ArrayRecordComponent") // written once, and never compared
record Answer(int status, String type, byte[] body) {

    /** The media type of reviews. */
    static final String REVIEW = "application/json";

    static final int BAD_REQUEST = 400;
    static final int INTERNAL_SERVER_ERROR = 500;

    /** A review, answered. */
    static Answer review(byte[] answer) {
        return new Answer(200, REVIEW, answer);
    }

    /** An answer of one line, for people. */
    static Answer line(int status, String line) {
        return new Answer(status, "text/plain;charset=UTF-8", (line + "\n").getBytes(UTF_8));
    }

    /** Whether the server is to blame. */
    boolean isFailure() {
        return status >= INTERNAL_SERVER_ERROR;
    }
}
