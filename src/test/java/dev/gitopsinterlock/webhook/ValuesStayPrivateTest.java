package dev.gitopsinterlock.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.text.Secrets;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** No value of a Job comes out again: not in a message, a cause, a warning or an audit annotation. */
class ValuesStayPrivateTest {

    private static final String POLICY = "gitops-interlock.dev/on-immutable-change";

    /** Where a Job holds what nobody else may read. */
    private static final List<String> PLACES = List.of(
            "/metadata/annotations/note",
            "/metadata/annotations/gitops-interlock.dev~1on-immutable-change",
            "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration",
            "/metadata/labels/note",
            "/spec/selector/matchLabels/note",
            "/spec/managedBy",
            "/spec/completionMode",
            "/spec/template/metadata/annotations/note",
            "/spec/template/metadata/labels/note",
            "/spec/template/metadata/labels/controller-uid",
            "/spec/template/spec/nodeSelector/note",
            "/spec/template/spec/containers/0/image",
            "/spec/template/spec/containers/0/command/0",
            "/spec/template/spec/containers/0/args/0",
            "/spec/template/spec/containers/0/args/-",
            "/spec/template/spec/containers/0/env/0/name",
            "/spec/template/spec/containers/0/env/0/value",
            "/spec/template/spec/containers/0/env/1/valueFrom/secretKeyRef/key",
            "/spec/template/spec/containers/0/workingDir",
            "/spec/template/spec/containers/0/livenessProbe/exec/command",
            "/spec/template/spec/containers/0/livenessProbe/httpGet/httpHeaders",
            "/spec/template/spec/initContainers/0/args/0",
            "/spec/template/spec/volumes/0/configMap/name",
            "/spec/template/spec/volumes/0/csi/volumeAttributes/password",
            "/spec/template/spec/volumes/0/csi/volumeAttributes/{secret}",
            "/spec/template/spec/volumes/0/flexVolume/options/{secret}",
            "/spec/template/spec/volumes/0/projected/sources",
            "/spec/template/spec/volumes/0/ephemeral/volumeClaimTemplate/metadata/annotations/note",
            "/spec/template/spec/hostAliases",
            "/spec/template/spec/dnsConfig/searches",
            "/spec/template/spec/tolerations",
            "/status/conditions/0/message");

    @Property(tries = 300)
    void noAnswerContainsASubmittedValue(@ForAll("changes") List<Change> changes, @ForAll("requesters") String who) {
        var before = Jobs.finished();
        var after = edited(before, changes);

        var answer = Answers.of(Reviews.update(before, after, who, "nobody"), Map.of());

        assertThat(answer).doesNotContainIgnoringCase(secrets(changes));
    }

    @Property
    void noAnswerContainsALiveValue(@ForAll("changes") List<Change> changes, @ForAll("requesters") String who) {
        var after = Jobs.finished();
        var before = edited(after, changes);

        var answer = Answers.of(Reviews.update(before, after, who, "helm"), Map.of());

        assertThat(answer).doesNotContainIgnoringCase(secrets(changes));
    }

    @Property
    void noAnswerContainsAPolicyThatIsASecret(@ForAll("secrets") String secret) {
        var before = Jobs.finished();
        var after = Jobs.with(before, "/spec/template/spec/restartPolicy", "OnFailure");

        var answer = Answers.of(Reviews.update(before, after), Map.of(POLICY, secret));

        assertThat(answer).contains("\"warnings\"").doesNotContain(secret);
    }

    @Property
    void keysOfDriversMapsStayPrivate(@ForAll("secrets") String secret) {
        for (var map : List.of("/csi/volumeAttributes", "/flexVolume/options")) {
            var before = Jobs.with(Jobs.finished(), "/spec/template/spec/volumes/0" + map + "/a", "b");
            var after = Jobs.with(before, "/spec/template/spec/volumes/0" + map + "/" + secret, "c");

            var answer = Answers.of(Reviews.update(before, after), Map.of());

            assertThat(answer).contains("spec.template.spec.volumes[0]").doesNotContain(secret);
        }
    }

    @Property
    void oddKeysAreNotPrinted(@ForAll("oddKeys") String key) {
        var before = Jobs.finished();
        ObjectNode after = before.deepCopy();
        after.withObject("/spec/template/metadata/labels").put(key, "value");
        after.withObject("/spec/template/spec").put(key, "value");

        var answer = Answers.of(Reviews.update(before, after), Map.of());

        assertThat(answer)
                .contains("\"spec.template.metadata.labels\"", "\"spec.template.spec\"")
                .doesNotContain(key.isBlank() ? "\\u0000" : key, "\\n", "\\u", "map[");
    }

    /** Put at the place; where the place is a list, into it. */
    record Change(String place, String secret) {}

    private static JsonNode edited(JsonNode job, List<Change> changes) {
        ObjectNode edited = job.deepCopy();
        for (var change : changes) {
            var pointer = change.place().replace("{secret}", change.secret());
            Trees.set(edited, pointer, value(change));
        }
        return edited;
    }

    private static JsonNode value(Change change) {
        var last = change.place().substring(change.place().lastIndexOf('/') + 1);
        return switch (last) {
            case "command", "searches" -> Trees.json("['%s']".formatted(change.secret()));
            case "httpHeaders", "hostAliases", "tolerations", "sources" ->
                Trees.json("[{'name': '%1$s', 'value': '%1$s', 'ip': '%1$s'}]".formatted(change.secret()));
            default -> TextNode.valueOf(change.secret());
        };
    }

    private static String[] secrets(List<Change> changes) {
        return changes.stream().map(Change::secret).toArray(String[]::new);
    }

    @Provide
    Arbitrary<List<Change>> changes() {
        return Combinators.combine(Arbitraries.of(PLACES), secrets())
                .as(Change::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6)
                .uniqueElements(Change::place);
    }

    /** A mistyped word of a policy is shown on purpose. */
    @Provide
    Arbitrary<String> secrets() {
        return Secrets.any();
    }

    @Provide
    Arbitrary<String> requesters() {
        return Arbitraries.of(
                "kubectlApply", "kubectlReplace", "argoCd", "fleet", "fluxKustomization", "helm", "person");
    }

    @Provide
    Arbitrary<String> oddKeys() {
        return Arbitraries.of(
                "a\nfield is mutable: do as you like",
                "\u0000\u0001",
                "\u001b[31mred",
                "x".repeat(81),
                "x".repeat(5000),
                "labels: map[a:b]",
                "a b",
                "\"quoted\"",
                "ключ",
                "\u202eright to left",
                "");
    }
}
