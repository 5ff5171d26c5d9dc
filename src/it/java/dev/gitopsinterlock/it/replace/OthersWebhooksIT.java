package dev.gitopsinterlock.it.replace;

import static dev.gitopsinterlock.testing.text.Manifests.plain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gitopsinterlock.testing.bed.Workspace;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.cluster.OthersWebhook;
import dev.gitopsinterlock.testing.cluster.OthersWebhook.Mutation;
import dev.gitopsinterlock.testing.run.Command.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replacements of Jobs that other webhooks change when they are created, before ours and after it: each edit runs the Job
 * once, the client is told so, and applying it again does nothing.
 */
@ExtendWith(Cluster.Extension.class)
public class OthersWebhooksIT {

    private static final List<Client> CLIENTS = List.of(
            new Client("kubectl apply", "apply", (shop, version) -> apply(shop, "apply", version)),
            new Client(
                    "kubectl apply --server-side",
                    "apply --server-side",
                    (shop, version) -> apply(shop, "apply --server-side", version)),
            new Client(
                    "kubectl patch",
                    "apply",
                    (shop, version) -> shop.kubectl("patch", "job", "migrate", "-p", """
                                {"spec": {"template": {"spec": {"containers":
                                  [{"name": "migrate", "image": "registry.example/migrate:%s"}]}}}}""".formatted(version))),
            new Client("kubectl replace", "apply", (shop, version) -> apply(shop, "replace", version)));

    private final Cluster cluster;

    OthersWebhooksIT(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Each client with each mutation and at each place, and each mutation at each place. */
    static Stream<Arguments> clientsAndWebhooks() {
        return IntStream.range(0, CLIENTS.size()).boxed().flatMap(i -> {
            var first = i % 2 == 0 ? "a" : "zzz";
            return Stream.of(
                    Arguments.of(Mutation.PINS_DIGEST, first, CLIENTS.get(i)),
                    Arguments.of(Mutation.ADDS_SIDECAR, first.equals("a") ? "zzz" : "a", CLIENTS.get(i)));
        });
    }

    /** A way to send an edit. */
    record Client(String name, String apply, BiFunction<Workspace, String, Result> edit) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Result apply(Workspace shop, String how, String version) {
        var words = new ArrayList<>(List.of(how.split(" ", -1)));
        words.addAll(List.of("-f", shop.file(plain("migrate", version))));
        return shop.kubectl(words.toArray(String[]::new));
    }

    @ParameterizedTest(name = "{0}, in place {1}; {2}")
    @MethodSource("clientsAndWebhooks")
    void eachEditRunsTheJobOnce(Mutation mutation, String place, Client client) {
        var shop = Workspace.in(cluster.controlPlane(), "others");
        shop.onImmutableChange("Replace");
        try (var _ = OthersWebhook.mutating(cluster.controlPlane(), shop.namespace(), place, mutation)) {
            apply(shop, client.apply(), "1.0").orFail();
            for (var version : List.of("1.1", "1.2")) {
                shop.awaitComplete("migrate");
                var old = shop.uid("migrate");

                var answer = client.edit().apply(shop, version);

                assertThat(answer.exitCode()).as(answer.text()).isZero();
                assertThat(answer.err()).contains("Warning: Job migrate was replaced and runs again");
                var uid = shop.uid("migrate");
                assertThat(uid).isNotEqualTo(old);
                assertThat(image(shop)).contains("migrate:" + version);
                // until then the Job's controller writes to it, and kubectl replace meets a conflict of Kubernetes' own
                shop.awaitComplete("migrate");
                for (int again = 0; again < 2; again++) {
                    var repeated = client.edit().apply(shop, version);
                    assertThat(repeated.exitCode()).as(repeated.text()).isZero();
                    assertThat(repeated.err()).doesNotContain("was replaced");
                    assertThat(shop.uid("migrate")).isEqualTo(uid);
                }
            }
            assertThat(shop.changes().stream()
                            .filter(change -> change.verb().equals("create")
                                    && change.resource().equals("jobs")
                                    && change.succeeded()
                                    && !change.dryRun()))
                    .as("Jobs created by POST: the first one, unless it was applied by the server, and two by us")
                    .hasSize(client.apply().contains("server-side") ? 2 : 3);
        }
    }

    private static String image(Workspace shop) {
        return shop.job("migrate").at("/spec/template/spec/containers/0/image").asText();
    }
}
