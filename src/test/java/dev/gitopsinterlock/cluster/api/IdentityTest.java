package dev.gitopsinterlock.cluster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.gitopsinterlock.cluster.api.Identity.Header;
import dev.gitopsinterlock.cluster.api.Identity.Impersonated;
import dev.gitopsinterlock.cluster.api.Identity.Impossible;
import dev.gitopsinterlock.tool.Requester;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class IdentityTest {

    private static final String ACCOUNT = "system:serviceaccount:argocd:argocd-application-controller";

    @Test
    void aPersonIsNamedWithEverythingThatTheApiServerKnows() {
        var carol = new Requester(
                "carol@example.com",
                "42",
                List.of("dev", "system:authenticated"),
                Map.of("authentication.kubernetes.io/credential-id", List.of("X509SHA256=1f")));

        assertThat(Identity.of(carol))
                .isEqualTo(new Impersonated(List.of(
                        new Header("Impersonate-User", "carol@example.com"),
                        new Header("Impersonate-Uid", "42"),
                        new Header("Impersonate-Group", "dev"),
                        new Header("Impersonate-Group", "system:authenticated"),
                        new Header(
                                "Impersonate-Extra-authentication.kubernetes.io%2Fcredential-id", "X509SHA256=1f"))));
    }

    /** The API server gives it its groups, and takes neither uid nor extra. */
    @Test
    void aServiceAccountIsNamedAlone() {
        var account = new Requester(
                ACCOUNT,
                "42",
                List.of("system:serviceaccounts", "system:serviceaccounts:argocd", "system:authenticated"),
                Map.of("authentication.kubernetes.io/pod-name", List.of("argocd-0")));

        assertThat(Identity.of(account)).isEqualTo(new Impersonated(List.of(new Header("Impersonate-User", ACCOUNT))));
    }

    static Stream<Arguments> whomNobodyCanActAs() {
        return Stream.of(
                arguments("a master", named("kubernetes-admin", List.of("system:masters")), "system:masters"),
                arguments("a master with an account", named(ACCOUNT, List.of("system:masters")), "system:masters"),
                arguments("nobody", named("", List.of()), "names no user"),
                arguments("a Node", named("system:node:worker-0", List.of("system:nodes")), "Nodes"),
                arguments("an account with more", named(ACCOUNT, with("admins")), "other groups"),
                arguments("an account with less", named(ACCOUNT, List.of("system:authenticated")), "other groups"),
                arguments(
                        "an account with an extra of its own",
                        new Requester(ACCOUNT, "", with(), Map.of("example.com/scopes", List.of("jobs"))),
                        "extra"),
                arguments(
                        "another account's groups",
                        named(ACCOUNT, with("system:serviceaccounts:shop")),
                        "other groups"),
                arguments("letters that HTTP has not", named("jürgen", List.of()), "plain ASCII"),
                arguments("a line break", named("carol\r\nImpersonate-Group: admins", List.of()), "plain ASCII"),
                arguments("a group with a space at its end", named("carol", List.of("dev ")), "plain ASCII"),
                arguments("an empty group", named("carol", List.of("")), "plain ASCII"),
                extra("capitals in a key", Map.of("example.com/Scopes", List.of("all"))),
                extra("a key without a domain", Map.of("scopes.authorization.openshift.io", List.of("user:full"))),
                extra("a key without values", Map.of("example.com/scopes", List.of())),
                extra("an empty value", Map.of("example.com/scopes", List.of("all", ""))));
    }

    private static Arguments extra(String what, Map<String, List<String>> extra) {
        return arguments(what, new Requester("carol", "", List.of(), extra), "lets nobody name");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("whomNobodyCanActAs")
    void nearlyIsNotGoodEnough(String who, Requester requester, String why) {
        assertThat(Identity.of(requester))
                .isInstanceOfSatisfying(
                        Impossible.class,
                        impossible -> assertThat(impossible.why()).contains(why));
    }

    /** What a token of the account gives, and more. */
    private static List<String> with(String... groups) {
        return Stream.concat(
                        Stream.of("system:serviceaccounts", "system:serviceaccounts:argocd", "system:authenticated"),
                        Stream.of(groups))
                .toList();
    }

    private static Requester named(String name, List<String> groups) {
        return new Requester(name, "", groups, Map.of());
    }
}
