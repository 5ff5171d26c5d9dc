package dev.gitopsinterlock.cluster.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/**
 * One to the API server.
 *
 * @param method of HTTP
 * @param path with the query
 * @param type of the body; where there is none, of the answer
 * @param body a missing node where there is none
 * @param identity in whose name
 * @param patience how long the answer is waited for
 */
public record ApiRequest(
        String method, String path, String type, JsonNode body, Identity identity, Duration patience) {}
