package dev.gitopsinterlock.argocd;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * Where an Application's objects go.
 *
 * @param name of the cluster, as Argo CD knows it; empty where the address counts
 * @param server its address; empty where the name counts
 */
public record Destination(String name, String server) {

    /** None that is known. */
    public static final Destination NONE = new Destination("", "");

    /** Argo CD's own cluster, whatever others call by that address. */
    private static final String IN_CLUSTER = "https://kubernetes.default.svc";

    static Destination of(JsonNode application) {
        var destination = application.path("spec").path("destination");
        return new Destination(
                destination.path("name").asText(), destination.path("server").asText());
    }

    /**
     * Whether it is the cluster of these names and addresses, as Argo CD resolves it ({@code util/argo}, GetDestinationServer):
     * by one of both, and it syncs nothing where both are said; slashes at the end of an address do not count.
     */
    public boolean isAmong(Set<String> names, Set<String> servers) {
        var address = trimmed(server);
        return address.isEmpty()
                ? names.contains(name)
                : name.isEmpty()
                        && !address.equals(IN_CLUSTER)
                        && servers.stream().map(Destination::trimmed).anyMatch(address::equals);
    }

    private static String trimmed(String server) {
        int end = server.length();
        while (end > 0 && server.charAt(end - 1) == '/') {
            end--;
        }
        return server.substring(0, end);
    }
}
