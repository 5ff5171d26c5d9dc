package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.databind.JsonNode;

/** What a request's body turned out to be. */
sealed interface ReviewBody {

    /**
     * A request to decide about.
     *
     * @param uid to be given back with the answer
     * @param request the {@code request} of the AdmissionReview
     * @param heap what it takes of the heap, in bytes
     */
    record Review(String uid, JsonNode request, long heap) implements ReviewBody {}

    /**
     * A review whose objects would take more of the heap than allowed. They were not looked at.
     *
     * @param uid to be given back with the answer
     */
    record TooCostly(String uid) implements ReviewBody {}

    /** Nothing that the API server would send. */
    record Malformed(Fault fault) implements ReviewBody {}

    /** What is wrong, with the line that the sender gets. Also a metric label. */
    enum Fault {
        EMPTY("the body is empty; expected an AdmissionReview"),
        NOT_JSON("the body is not JSON, or is nested deeper than 200 levels"),
        NOT_A_REVIEW("the body is not an AdmissionReview of admission.k8s.io/v1"),
        NO_REQUEST("the AdmissionReview has no request with a uid"),
        OTHER_KIND("the request is about another kind or version than this path is for"),
        TOO_LARGE("the body is larger than allowed"),
        NO_LENGTH("the length of the body is not said in one way that is known here"),
        TOO_SLOW("the body took too long"),
        NO_ROOM("there was no room for the body in time");

        private final String line;

        Fault(String line) {
            this.line = line;
        }

        String line() {
            return line;
        }
    }
}
