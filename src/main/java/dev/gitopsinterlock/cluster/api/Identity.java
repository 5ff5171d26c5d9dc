package dev.gitopsinterlock.cluster.api;

import dev.gitopsinterlock.tool.Requester;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** In whose name a request goes to the API server. */
public sealed interface Identity {

    /** The service's own account. */
    record OwnAccount() implements Identity {}

    /**
     * Somebody else, by constrained impersonation (KEP-5284).
     *
     * @param headers that name them
     */
    record Impersonated(List<Header> headers) implements Identity {
        public Impersonated {
            headers = List.copyOf(headers);
        }
    }

    /**
     * There is no way to act exactly as this requester; and nearly is not good enough.
     *
     * @param why in a few words
     */
    record Impossible(String why) implements Identity {}

    /** An HTTP header. */
    record Header(String name, String value) {}

    OwnAccount OWN_ACCOUNT = new OwnAccount();

    /** Its members may do everything without RBAC being asked, so constrained impersonation does not allow it. */
    String MASTERS = "system:masters";

    Pattern SERVICE_ACCOUNT = Pattern.compile("system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})");

    /** What HTTP carries as it is; anything else would arrive as another name. */
    Predicate<String> PLAIN = Pattern.compile("[!-~]([ -~]*[!-~])?").asMatchPredicate();

    /** Where a service account's token is bound to; the API server lets nobody name that. */
    Set<String> OF_TOKENS = Set.of(
            "authentication.kubernetes.io/credential-id",
            "authentication.kubernetes.io/node-name",
            "authentication.kubernetes.io/node-uid",
            "authentication.kubernetes.io/pod-name",
            "authentication.kubernetes.io/pod-uid");

    /** What the API server takes for a key: a domain, a slash and a path. A header's name has no case, so neither has a key. */
    Predicate<String> EXTRA_KEY = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[-a-z0-9/._~%!$&'()*+,;=:]+")
            .asMatchPredicate();

    /**
     * The requester with everything that the API server lets be named. A service account's groups are fixed, and neither
     * its uid nor its extra (such as the Pod that its token is bound to) can be named.
     */
    static Identity of(Requester requester) {
        var name = requester.username();
        var groups = requester.groups();
        if (groups.contains(MASTERS)) {
            return new Impossible("nobody may act as a member of " + MASTERS);
        }
        if (name.isEmpty()) {
            return new Impossible("the request names no user");
        }
        if (name.startsWith("system:node:")) {
            return new Impossible("Nodes are not impersonated");
        }
        var account = SERVICE_ACCOUNT.matcher(name);
        if (account.matches()) {
            var fixed = Set.of(
                    "system:serviceaccounts", "system:serviceaccounts:" + account.group(1), "system:authenticated");
            return Set.copyOf(groups).equals(fixed)
                            && OF_TOKENS.containsAll(requester.extra().keySet())
                    ? new Impersonated(List.of(new Header("Impersonate-User", name)))
                    : new Impossible("a service account with other groups or extra than its token gives it");
        }
        return everything(requester);
    }

    private static Identity everything(Requester requester) {
        var headers = new ArrayList<Header>();
        headers.add(new Header("Impersonate-User", requester.username()));
        Stream.of(requester.uid())
                .filter(uid -> !uid.isEmpty())
                .forEach(uid -> headers.add(new Header("Impersonate-Uid", uid)));
        requester.groups().forEach(group -> headers.add(new Header("Impersonate-Group", group)));
        for (var entry : requester.extra().entrySet()) {
            if (!EXTRA_KEY.test(entry.getKey())
                    || entry.getValue().isEmpty()
                    || entry.getValue().contains("")) {
                return new Impossible("its extra has a key or value that Kubernetes lets nobody name");
            }
            entry.getValue()
                    .forEach(value -> headers.add(new Header("Impersonate-Extra-" + encoded(entry.getKey()), value)));
        }
        return headers.stream().map(Header::value).allMatch(PLAIN)
                ? new Impersonated(headers)
                : new Impossible("its name, groups or extra are not plain ASCII");
    }

    /** Any character that may not be in a header's name becomes a percent sign and its code. */
    private static String encoded(String key) {
        return URLEncoder.encode(key, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
