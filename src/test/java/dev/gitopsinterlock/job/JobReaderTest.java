package dev.gitopsinterlock.job;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.ObjectName;
import dev.gitopsinterlock.admission.Operation;
import dev.gitopsinterlock.admission.ParseResult;
import dev.gitopsinterlock.admission.ParseResult.Parsed;
import dev.gitopsinterlock.admission.ParseResult.Unsupported;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.ChangeReader;
import dev.gitopsinterlock.job.rule.JobKind;
import dev.gitopsinterlock.testing.review.Jobs;
import dev.gitopsinterlock.testing.review.Reviews;
import dev.gitopsinterlock.testing.text.Trees;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobReaderTest {

    @Test
    void factsOfAnUpdateAreRead() {
        var request = Reviews.request(Reviews.update(Jobs.running(), Jobs.finished(), "argoCd", "argoCd"));

        var change = change(request);

        assertThat(change.operation()).isEqualTo(Operation.UPDATE);
        assertThat(change.object()).isEqualTo(new ObjectName("shop", "db-migrate"));
        assertThat(change.before()).isEqualTo(request.path("oldObject"));
        assertThat(change.after()).isEqualTo(request.path("object"));
        assertThat(change.fieldManager()).isEqualTo("argocd-controller");
        assertThat(change.subresource()).isEmpty();
        assertThat(change.dryRun()).isFalse();
        assertThat(change.requester().username())
                .isEqualTo("system:serviceaccount:argocd:argocd-application-controller");
        assertThat(change.requester().podName()).hasValue("argocd-application-controller-0");
        assertThat(change.requester().extra())
                .containsEntry("authentication.kubernetes.io/node-name", List.of("worker-1"));
    }

    @Test
    void createHasNoLiveJob() {
        var change = change(Reviews.request(Reviews.create(Jobs.manifest(Jobs.finished()), "kubectlApply", "nobody")));

        assertThat(change.before().isMissingNode()).isTrue();
        assertThat(change.after().isObject()).isTrue();
    }

    @Test
    void deleteHasNoSubmittedJob() {
        var change = change(Reviews.request(Reviews.delete(Jobs.finished(), "kubectlApply", "nobody")));

        assertThat(change.after().isMissingNode()).isTrue();
        assertThat(change.before().isObject()).isTrue();
    }

    @Test
    void nameComesFromTheObjectWhereTheRequestHasNone() {
        var request = update();
        request.putNull("name");

        assertThat(change(request).object()).isEqualTo(new ObjectName("shop", "db-migrate"));
    }

    /** Which Job would be read, which deleted and which created would be up to the sender. */
    @ParameterizedTest
    @ValueSource(strings = {"object", "oldObject"})
    void anObjectThatIsNotTheOneOfTheRequestIsUnsupported(String which) {
        for (var part : List.of("name", "namespace")) {
            var request = update();
            request.withObject("/" + which + "/metadata").put(part, "another");

            assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                    .isEqualTo(new Unsupported<>(which + ".metadata." + part));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"UPDATED", "update", ""})
    void operationThatDoesNotExistIsUnsupported(String operation) {
        assertThat(read(update().put("operation", operation))).isEqualTo(new Unsupported<>("request.operation"));
    }

    @Test
    void operationMissingIsUnsupported() {
        var request = update();
        request.remove("operation");

        assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                .isEqualTo(new Unsupported<>("request.operation"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"object", "oldObject"})
    void objectMissingOrOfAnotherTypeIsUnsupported(String name) {
        for (var instead : List.of("null", "7", "'text'", "[]", "true", "{}")) {
            var request = update();
            request.set(name, Trees.json(instead));

            assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                    .as(instead)
                    .isEqualTo(new Unsupported<>(name + ".metadata"));
        }
        var request = update();
        request.remove(name);

        assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                .isEqualTo(new Unsupported<>(name + ".metadata"));
    }

    @ParameterizedTest
    @CsvSource({
        "/userInfo, 7",
        "/userInfo, []",
        "/userInfo/username, 7",
        "/userInfo/username, {}",
        "/userInfo/extra, []",
        "/options, 'text'",
        "/options/fieldManager, []",
        "/subResource, {}",
        "/dryRun, 'yes'",
        "/dryRun, 1",
        "/name, 7",
        "/name, 'Not A Name'",
        "/namespace, []",
        "/namespace, 'a\nb'"
    })
    void partOfTheRequestOfAnotherTypeIsUnsupported(String pointer, String instead) {
        var request = Jobs.with(update(), pointer, json(instead));

        assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                .isEqualTo(new Unsupported<>("request" + pointer.replace('/', '.')));
    }

    @ParameterizedTest
    @CsvSource({
        "/metadata, 7",
        "/metadata/name, 7",
        "/metadata/name, 'UPPER'",
        "/metadata/annotations, []",
        "/metadata/annotations/number, 7",
        "/metadata/labels, 'text'",
        "/metadata/labels/list, []",
        "/metadata/ownerReferences, {}",
        "/metadata/managedFields, 'text'",
        "/spec, 7",
        "/spec, 'text'",
        "/spec, []",
        "/spec/completionMode, 7",
        "/spec/completions, 'three'",
        "/spec/completions, 1.5",
        "/spec/parallelism, true",
        "/spec/selector, 'text'",
        "/spec/suspend, 'yes'",
        "/spec/suspend, 1",
        "/spec/template, []",
        "/spec/template, 7",
        "/spec/template/metadata, 'text'",
        "/spec/template/metadata/labels, []",
        "/spec/template/metadata/labels/object, {}",
        "/spec/template/spec, 'text'",
        "/status, []",
        "/status/active, 'one'",
        "/status/conditions, {}",
        "/status/startTime, 7"
    })
    void partOfAJobOfAnotherTypeIsUnsupported(String pointer, String instead) {
        for (var name : List.of("object", "oldObject")) {
            var request = Jobs.with(update(), "/" + name + pointer, json(instead));
            var where = pointer.replaceAll("/(number|list|object)$", "");

            assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                    .as(name)
                    .isEqualTo(new Unsupported<>(name + where.replace('/', '.')));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/metadata", "/spec", "/spec/template"})
    void essentialPartMissingOrNullIsUnsupported(String pointer) {
        var request = Jobs.with(update(), "/object" + pointer, Trees.json("null"));

        assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                .isEqualTo(new Unsupported<>("object" + pointer.replace('/', '.')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/userInfo",
                "/userInfo/extra",
                "/userInfo/username",
                "/options",
                "/options/fieldManager",
                "/dryRun",
                "/object/metadata/labels",
                "/object/metadata/annotations",
                "/object/metadata/managedFields",
                "/object/spec/selector",
                "/object/spec/completions",
                "/object/spec/suspend",
                "/object/status",
                "/oldObject/status",
                "/oldObject/status/startTime",
                "/oldObject/status/conditions"
            })
    void otherPartsMayBeAbsent(String pointer) {
        assertThat(read(Jobs.with(update(), pointer, Trees.json("null")))).isInstanceOf(Parsed.class);
    }

    @Test
    void nullInTheRequestIsAbsent() {
        var request = update();
        request.putNull("subResource");
        request.putNull("namespace");
        request.withObject("/userInfo").putNull("username");
        request.withObject("/options").putNull("fieldManager");

        var change = change(request);

        assertThat(change.subresource()).isEmpty();
        assertThat(change.object().namespace()).isEmpty();
        assertThat(change.requester().username()).isEmpty();
        assertThat(change.fieldManager()).isEmpty();
    }

    @Test
    void unreadableExtraOfAUserIsNoReasonNotToJudge() {
        var request = update();
        request.withObject("/userInfo").set("extra", Trees.json("{'a': 'text', 'b': {'c': 1}, 'd': [1, null]}"));

        assertThat(change(request).requester().extra())
                .isEqualTo(Map.of("a", List.of(), "b", List.of("1"), "d", List.of("1", "null")));
    }

    @Test
    void faultOfASubmittedJobIsNoConcernOfADelete() {
        var request = Reviews.request(Reviews.delete(Jobs.finished(), "kubectlApply", "nobody"));
        request.set("object", Trees.json("7"));

        assertThat(ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form()))
                .isInstanceOf(Parsed.class);
    }

    private static ObjectNode update() {
        return Reviews.request(Reviews.update(Jobs.running(), Jobs.finished()));
    }

    private static ParseResult<Change> read(JsonNode request) {
        return ChangeReader.read(request, JobKind.JOB.type(), JobKind.JOB.form());
    }

    private static Change change(ObjectNode request) {
        return ((Parsed<Change>) read(request)).change();
    }

    /** CSV takes the quotes off. */
    private static JsonNode json(String text) {
        return text.matches("[0-9.]+|true|\\[]|\\{}")
                ? Trees.json(text)
                : Trees.JSON.getNodeFactory().textNode(text);
    }
}
