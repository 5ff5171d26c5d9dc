package dev.gitopsinterlock.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.kubernetes.Conditions;
import dev.gitopsinterlock.kubernetes.ObjectMeta;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The Pods of an installation. An API server keeps its connection to one of them, so that the others know little. Blocks.
 *
 * @param cluster that they are in
 * @param deployment whose Pods they are
 * @param management their port with the metrics
 */
public record Replicas(ClusterReader cluster, JsonNode deployment, int management) {

    private static final Pattern REVIEWS = Pattern.compile("gitops_interlock_reviews_total\\{.*} ([0-9.]{1,30})");

    /** The names of those that are ready, the one that was asked most first, as far as the caller may see that. */
    public List<String> ready() throws Unreadable {
        var selector = deployment.at("/spec/selector/matchLabels").properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asText())
                .collect(Collectors.joining(","));
        if (selector.isEmpty()) {
            throw Unreadable.trouble("Deployment %s selects no Pods by labels".formatted(ObjectMeta.name(deployment)));
        }
        var asked = new HashMap<String, Double>();
        cluster.list(
                path("pods?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8)),
                pod -> {
                    if (Conditions.isTrue(pod, "Ready") && !ObjectMeta.isTerminating(pod)) {
                        asked.put(ObjectMeta.name(pod), 0.0);
                    }
                },
                remaining -> {});
        if (asked.size() > 1) {
            asked.replaceAll((pod, none) -> asked(pod));
        }
        var names = new ArrayList<>(asked.keySet());
        names.sort(
                Comparator.<String, Double>comparing(asked::get).reversed().thenComparing(Comparator.naturalOrder()));
        return names;
    }

    /** How many reviews it has answered; 0 where nobody may ask. */
    private double asked(String pod) {
        return cluster.text(path("pods/%s:%d/proxy/q/metrics".formatted(pod, management))).stream()
                .flatMap(String::lines)
                .map(REVIEWS::matcher)
                .filter(Matcher::matches)
                .mapToDouble(count -> Double.parseDouble(count.group(1)))
                .sum();
    }

    private String path(String rest) {
        return "/api/v1/namespaces/" + ObjectMeta.namespace(deployment) + "/" + rest;
    }
}
