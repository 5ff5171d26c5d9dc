package dev.gitopsinterlock.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.gitopsinterlock.webhook.ReviewBody.Fault;
import dev.gitopsinterlock.webhook.ReviewBody.Malformed;
import dev.gitopsinterlock.webhook.ReviewBody.Review;
import dev.gitopsinterlock.webhook.ReviewBody.TooCostly;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Turns bytes into a review. Thread-safe; never throws for what is in the bytes. */
final class ReviewReader {

    /** A Pod template is about 20 levels deep; the review around it adds three. */
    static final int MAX_DEPTH = 200;

    /** Longer than any text in an object that etcd takes. */
    private static final int MAX_TEXT = 2 * 1024 * 1024;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            // the names are a stranger's, and would be looked up in a table of the whole JVM's
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(MAX_TEXT)
                    .build())
            .build();

    private static final JsonMapper MAPPER = JsonMapper.builder(FACTORY)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final ObjectReader JSON = MAPPER.readerFor(JsonNode.class);

    private static final KnownNames NAMES = new KnownNames(FACTORY);

    private ReviewReader() {}

    /** Reads a review about one of the kinds, whatever it takes. */
    static ReviewBody read(byte[] body, Set<String> kinds) {
        return read(Body.of(body), kinds, Long.MAX_VALUE);
    }

    /**
     * Reads a review about one of the kinds.
     *
     * @param kinds as {@code group/version/Kind}
     * @param allowance how many bytes of the heap its tree may take
     */
    static ReviewBody read(Body body, Set<String> kinds, long allowance) {
        if (body.length() == 0) {
            return new Malformed(Fault.EMPTY);
        }
        var count = new HeapCount(allowance);
        var nodes = new CountedNodes(count, body.length());
        try {
            var review = JSON.with(nodes).with(NAMES.factory(body.length())).readTree(body.stream());
            nodes.close();
            return judge(review, kinds)
                    .<ReviewBody>map(Malformed::new)
                    .orElseGet(() -> new Review(uid(review), review.path("request"), count.bytes()));
        } catch (HeapCount.Exceeded | StreamConstraintsException e) {
            return readEnvelope(body, kinds);
        } catch (IOException e) {
            return new Malformed(Fault.NOT_JSON);
        }
    }

    /** That it is one, and its uid; for a review that is not to be looked at any further. */
    static ReviewBody readEnvelope(Body body, Set<String> kinds) {
        try {
            var envelope = envelope(body);
            return judge(envelope, kinds).<ReviewBody>map(Malformed::new).orElseGet(() -> new TooCostly(uid(envelope)));
        } catch (IOException e) {
            return new Malformed(Fault.NOT_JSON);
        }
    }

    /** The uid of a review about what we do ourselves; nothing for every other, and where it is none. */
    static Optional<String> selfInitiated(Body body, Set<String> kinds) {
        if (!Envelope.mayBeSelfInitiated(body)) {
            return Optional.empty();
        }
        try {
            var envelope = envelope(body);
            return judge(envelope, kinds).isEmpty() && Envelope.isSelfInitiated(envelope)
                    ? Optional.of(uid(envelope))
                    : Optional.empty();
        } catch (IOException | RuntimeException e) {
            // whoever reads all of it finds out
            return Optional.empty();
        }
    }

    private static JsonNode envelope(Body body) throws IOException {
        try (var parser = NAMES.factory(body.length()).createParser(body.stream())) {
            return Envelope.read(parser);
        }
    }

    private static String uid(JsonNode review) {
        return review.path("request").path("uid").textValue();
    }

    private static Optional<Fault> judge(JsonNode review, Set<String> kinds) {
        if (!review.path("kind").asText().equals("AdmissionReview")
                || !review.path("apiVersion").asText().equals("admission.k8s.io/v1")) {
            return Optional.of(Fault.NOT_A_REVIEW);
        }
        var request = review.path("request");
        var uid = request.path("uid");
        if (!request.isObject() || !uid.isTextual() || uid.textValue().isEmpty()) {
            return Optional.of(Fault.NO_REQUEST);
        }
        return kinds.contains(kind(request.path("kind"))) ? Optional.empty() : Optional.of(Fault.OTHER_KIND);
    }

    private static String kind(JsonNode kind) {
        return kind.path("group").asText() + "/" + kind.path("version").asText() + "/"
                + kind.path("kind").asText();
    }
}
