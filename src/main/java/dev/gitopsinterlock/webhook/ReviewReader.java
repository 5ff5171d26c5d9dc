package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gitopsinterlock.webhook.ReviewReading.Fault;
import dev.gitopsinterlock.webhook.ReviewReading.Malformed;
import dev.gitopsinterlock.webhook.ReviewReading.Review;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Turns bytes into a review. Thread-safe; never throws for what is in the bytes. */
final class ReviewReader {

    /** A Pod template is about 20 levels deep; the review around it adds three. */
    static final int MAX_DEPTH = 200;

    private static final ObjectReader JSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .readerFor(JsonNode.class);

    private ReviewReader() {}

    /**
     * Reads a review about one of the kinds.
     *
     * @param kinds as {@code group/version/Kind}
     */
    static ReviewReading read(byte[] body, Set<String> kinds) {
        if (body.length == 0) {
            return new Malformed(Fault.EMPTY);
        }
        JsonNode review;
        try {
            review = JSON.readTree(body);
        } catch (IOException e) {
            return new Malformed(Fault.NOT_JSON);
        }
        if (!review.path("kind").asText().equals("AdmissionReview")
                || !review.path("apiVersion").asText().equals("admission.k8s.io/v1")) {
            return new Malformed(Fault.NOT_A_REVIEW);
        }
        var request = review.path("request");
        var uid = request.path("uid");
        if (!request.isObject() || !uid.isTextual() || uid.textValue().isEmpty()) {
            return new Malformed(Fault.NO_REQUEST);
        }
        return kinds.contains(kind(request.path("kind")))
                ? new Review(uid.textValue(), request)
                : new Malformed(Fault.OTHER_KIND);
    }

    private static String kind(JsonNode kind) {
        return Stream.of("group", "version", "kind")
                .map(part -> kind.path(part).asText())
                .collect(Collectors.joining("/"));
    }
}
