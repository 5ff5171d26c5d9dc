package dev.gitopsinterlock.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.check.Appliers;
import dev.gitopsinterlock.check.CustomResourceCheck;
import dev.gitopsinterlock.check.Finding;
import dev.gitopsinterlock.check.Manifest;
import dev.gitopsinterlock.check.ManifestCheck;
import dev.gitopsinterlock.cli.cluster.CannedCluster;
import dev.gitopsinterlock.cli.cluster.LiveObjects;
import dev.gitopsinterlock.cli.input.Unreadable;
import dev.gitopsinterlock.cli.yaml.DefinitionText;
import dev.gitopsinterlock.cli.yaml.MalformedYaml;
import dev.gitopsinterlock.cli.yaml.Manifests;
import dev.gitopsinterlock.config.PackagedPages;
import dev.gitopsinterlock.crd.Definitions;
import dev.gitopsinterlock.kinds.GuardedKinds;
import dev.gitopsinterlock.testing.run.Command;
import dev.gitopsinterlock.testing.run.Git;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where definitions of custom resources come from. */
class CustomResourcesTest {

    private static final Path CASES = Project.directory().resolve("src/test/resources/check");
    private static final Path IN_CHANGE = CASES.resolve("custom-resource-rules");
    private static final Path OF_CHART = CASES.resolve("custom-resource-of-a-chart");
    private static final String THING =
            "{apiVersion: example.com/v1, kind: Thing, metadata: {name: a}, spec: {a: y}}\n";

    private static final String FOUND = "spec.region: a bucket cannot move";
    private static final String DIFFER =
            "(definitions of this kind differ: name the one that your cluster has, --crds FILE): ";

    @TempDir
    private Path directory;

    @Test
    void aDefinitionOnTheStandardInputCounts() throws IOException {
        var run =
                Run.withInput(Files.readString(IN_CHANGE.resolve("target.yaml")), IN_CHANGE, "check", "base.yaml", "-");

        assertThat(run.out()).contains(FOUND);
    }

    @Test
    void aDefinitionInGitCounts() throws IOException {
        Git.run(directory, "init", "-q");
        commit(IN_CHANGE.resolve("base.yaml"));
        commit(IN_CHANGE.resolve("target.yaml"));

        assertThat(Run.in(directory, "check", "--git", "HEAD~1..HEAD").out()).contains(FOUND);
        assertThat(Run.in(directory, "check", "--git", "HEAD~1").out()).contains(FOUND);
    }

    /** Such as a fixture of somebody's tests. */
    @Test
    void whatIsNamedCountsBeforeWhatTheChangeHas() throws IOException {
        var crd = Files.readString(OF_CHART.resolve("crds/bucket.yaml"));
        Files.writeString(directory.resolve("base.yaml"), Files.readString(OF_CHART.resolve("base.yaml")));
        Files.writeString(
                directory.resolve("target.yaml"),
                Files.readString(OF_CHART.resolve("target.yaml")) + "---\n"
                        + crd.replace("self == oldSelf", "self == oldSelf || true"));

        assertThat(Run.in(directory, "check", "base.yaml", "target.yaml").out()).doesNotContain(FOUND);
        assertThat(Run.in(
                                directory,
                                "check",
                                "base.yaml",
                                "target.yaml",
                                "--crds",
                                OF_CHART.resolve("crds").toString())
                        .out())
                .contains(FOUND);
    }

    @Test
    void aRuleThatTheChangeDropsIsNone() throws IOException {
        var crd = Files.readString(OF_CHART.resolve("crds/bucket.yaml"));
        Files.writeString(
                directory.resolve("base.yaml"), Files.readString(OF_CHART.resolve("base.yaml")) + "---\n" + crd);
        Files.writeString(
                directory.resolve("target.yaml"),
                Files.readString(OF_CHART.resolve("target.yaml")) + "---\n" + crd.replace("oldSelf", "self"));

        assertThat(Run.in(directory, "check", "base.yaml", "target.yaml").out()).contains("nothing found");
    }

    @Test
    void aDefinitionOfTheRepositoryCounts() throws IOException {
        Git.run(directory, "init", "-q");
        Git.run(directory, "config", "color.ui", "always");
        var crd = Files.readString(OF_CHART.resolve("crds/bucket.yaml"));
        Files.writeString(directory.resolve("crd.yaml"), crd);
        Git.run(directory, "add", "crd.yaml");
        commit(OF_CHART.resolve("base.yaml"));
        commit(OF_CHART.resolve("target.yaml"));

        assertThat(Run.in(directory, "check", "--git", "HEAD~1..HEAD").out()).contains(FOUND);
        assertThat(Run.in(directory, "check", "--git", "HEAD~1", "--", "all.yaml")
                        .out())
                .contains(FOUND);

        Files.writeString(directory.resolve("old.yaml"), crd.replace("self == oldSelf", "self >= oldSelf"));
        Git.run(directory, "add", "old.yaml");
        Git.run(directory, "commit", "-q", "-m", "two");
        var two = Run.in(directory, "check", "--git", "HEAD~2..HEAD", "--", "all.yaml");
        assertThat(two.out()).contains(DIFFER + FOUND);
        assertThat(Run.in(directory, "check", "--git", "HEAD~2..HEAD", "--crds", "crd.yaml", "--", "all.yaml")
                        .out())
                .contains(FOUND);
    }

    /** As YAML allows it, in the definition and in its objects. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "? kind # c\n: %s",
                "kind: # c\n  %s",
                "kind:\n  %s",
                "x: &k kind\n*k : %s",
                "\"kin\\u0064\": %s",
                "kind: &a %s",
                "kind:\u2028 %s"
            })
    void aDefinitionOfTheRepositoryIsFoundHoweverItsKindIsWritten(String kind) throws IOException {
        var definition = Files.readString(OF_CHART.resolve("crds/bucket.yaml"))
                .replace("kind: CustomResourceDefinition", kind.formatted("CustomResourceDefinition"))
                .replace("names: {kind: Bucket,", "names: {kind: \"Buck\\u0065t\",");
        Git.run(directory, "init", "-q");
        Files.writeString(directory.resolve("crd.yaml"), definition);
        Git.run(directory, "add", "crd.yaml");
        for (var side : List.of("base.yaml", "target.yaml")) {
            commit(Files.readString(OF_CHART.resolve(side)).replace("kind: Bucket", kind.formatted("Bucket")));
        }

        assertThat(Run.in(directory, "check", "--git", "HEAD~1..HEAD").out()).contains(FOUND);
    }

    /** In Git as in folders, where nothing of the definition has changed. */
    @ParameterizedTest
    @CsvSource({"#,# \u00e9,chart/crd.yaml is not UTF-8", "#,- [,chart/crd.yaml:", "#,a: *b,chart/crd.yaml:"})
    void aDefinitionThatCannotBeReadIsTrouble(String first, String last, String words) throws IOException {
        for (var run : changes(first + "\n" + definition() + last + "\n", ISO_8859_1)) {
            assertThat(run.errors()).contains(words);
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
    }

    @Test
    void aDefinitionThatHasToBeRenderedIsNamed() throws IOException {
        var template = "{{ if .crds }}\n" + definition();
        for (var run : changes(template, UTF_8)) {
            assertThat(run.out())
                    .matches(
                            "0 objects checked, so nothing was looked at; not judged until rendered: (new/)?chart/crd.yaml\n");
            assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
        }
        for (var run : changes(template, UTF_8, "--strict", "-o", "json")) {
            assertThat(run.out()).containsPattern("\"templates\" : \\[ \"(new/)?chart/crd.yaml\" ]");
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
        for (var run : changes(template, UTF_8, "--strict", "--render")) {
            assertThat(run.errors()).contains("chart/crd.yaml was not judged");
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
        var crds = OF_CHART.resolve("crds").toString();
        for (var run : changes(template, UTF_8, "--strict", "--crds", crds)) {
            assertThat(run.errors()).isEmpty();
            assertThat(run.out()).contains(FOUND).doesNotContain("not judged");
        }
    }

    /** Whatever it may be: no object of its kind changes. */
    @ParameterizedTest
    @ValueSource(strings = {"{{ if .crds }}", "- ["})
    void aDefinitionOfWhatDoesNotChangeIsNotNamed(String last) throws IOException {
        var another = definition().replace("Bucket", "Pail") + last + "\n";
        for (var run : changes(definition() + "---\n", UTF_8)) {
            assertThat(run.out()).contains(FOUND);
        }
        Files.writeString(directory.resolve("chart/other.yaml"), another);
        Git.run(directory, "add", "chart/other.yaml");
        Git.run(directory, "commit", "-q", "-m", "another");
        Files.writeString(directory.resolve("all.yaml"), Files.readString(OF_CHART.resolve("base.yaml")));
        var run = Run.in(directory, "check", "--git", "HEAD", "--strict", "--", "all.yaml");

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains(FOUND).doesNotContain("not judged");
    }

    /** Also where a file of definitions has another object of that kind, as a bundle has. */
    @ParameterizedTest
    @CsvSource({
        "v1, Service, {{ if .crds }}, false",
        "rbac.authorization.k8s.io/v1, Role, - [, false",
        "lifecycle.k8s.io/v1alpha1, EvictionRequest, - [, false",
        "gateway.networking.k8s.io/v1, Role, - [, true",
        "serving.knative.dev/v1, Service, {{ if .crds }}, true",
        "batch.volcano.sh/v1alpha1, Job, - [, true"
    })
    void whatKubernetesHasItselfNeedsNoDefinition(String apiVersion, String kind, String last, boolean isNamed)
            throws IOException {
        var object = "---\napiVersion: %s\nkind: " + kind + "\nmetadata: {name: a}\nspec: {a: %s}\n";
        Git.run(directory, "init", "-q");
        Files.writeString(directory.resolve("crd.yaml"), definition() + last + "\n" + object.formatted("v1", "a"));
        Git.run(directory, "add", "crd.yaml");
        commit(object.formatted(apiVersion, "a"));
        commit(object.formatted(apiVersion, "b"));
        var run = Run.in(directory, "check", "--git", "HEAD~1..HEAD", "--strict");

        assertThat(run.errors().contains("crd.yaml")).isEqualTo(isNamed);
        assertThat(run.code()).isEqualTo(isNamed ? ExitCode.TROUBLE : ExitCode.NOTHING_FOUND);
    }

    /** As YAML and JSON allow it. */
    @ParameterizedTest
    @ValueSource(strings = {"oldS\\u0065lf", "\\x6fldSelf", "old\\U00000053elf", "old\\\n  Self"})
    void aDefinitionIsFoundHoweverItsRuleIsWritten(String oldSelf) throws IOException {
        var definition = definition().replace("rule: self == oldSelf\n", "rule: \"self == " + oldSelf + "\"\n");
        for (var run : changes(definition.replaceAll("oldSelf", "self"), UTF_8)) {
            assertThat(run.out()).contains(FOUND);
        }
    }

    /** As the API server lists them. */
    @Test
    void aDefinitionInAListOfThemIsFound() throws IOException {
        var item =
                definition().replaceFirst("(?s).*?(?=metadata)", "").indent(2).replaceFirst("  metadata", "- metadata");
        for (var run : changes(
                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinitionList\nitems:\n" + item, UTF_8)) {
            assertThat(run.out()).contains(FOUND);
        }
    }

    @Test
    void aDefinitionInAnotherEncodingIsTrouble() throws IOException {
        for (var run : changes("\ufeff" + definition(), UTF_16LE)) {
            assertThat(run.errors()).contains("chart/crd.yaml is not UTF-8");
            assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        }
    }

    /** A changed object of its kind, in Git, in the work tree and between folders. */
    private List<Run> changes(String definition, Charset charset, String... options) throws IOException {
        Git.run(directory, "init", "-q");
        for (var side : List.of("", "old", "new")) {
            Files.createDirectories(directory.resolve(side).resolve("chart"));
            Files.writeString(directory.resolve(side).resolve("chart/crd.yaml"), definition, charset);
        }
        Git.run(directory, "add", "chart");
        for (var side : Map.of("old", "base.yaml", "new", "target.yaml").entrySet()) {
            Files.copy(
                    OF_CHART.resolve(side.getValue()),
                    directory.resolve(side.getKey()).resolve("all.yaml"),
                    REPLACE_EXISTING);
        }
        commit(OF_CHART.resolve("base.yaml"));
        commit(OF_CHART.resolve("target.yaml"));
        var runs = new ArrayList<Run>();
        for (var sides : List.of(
                List.of("--git", "HEAD~1..HEAD"),
                List.of("--git", "HEAD~1", "--", "all.yaml"),
                List.of("old", "new"))) {
            runs.add(Run.in(
                    directory,
                    Stream.of(Stream.of("check"), Stream.of(options), sides.stream())
                            .flatMap(Function.identity())
                            .toArray(String[]::new)));
        }
        return runs;
    }

    private static String definition() throws IOException {
        return Files.readString(OF_CHART.resolve("crds/bucket.yaml"));
    }

    /** Such as a fixture, which may be anybody's. */
    @Test
    void allCopiesOfADefinitionCount() throws IOException {
        var crd = Files.readString(OF_CHART.resolve("crds/bucket.yaml"));
        var weak = crd.replace("self == oldSelf", "self == oldSelf || true");
        var base = Files.readString(OF_CHART.resolve("base.yaml")) + "---\n" + crd;
        var target = Files.readString(OF_CHART.resolve("target.yaml")) + "---\n";
        Git.run(directory, "init", "-q");
        commit(base);
        for (var copies : List.of(crd + "---\n" + weak, weak + "---\n" + crd)) {
            Files.writeString(directory.resolve("base.yaml"), base);
            Files.writeString(directory.resolve("target.yaml"), target + copies);

            assertThat(Run.in(directory, "check", "base.yaml", "target.yaml").out())
                    .contains(": warning: ", DIFFER + FOUND)
                    .doesNotContain(": error: ");
        }

        Files.writeString(directory.resolve("all.yaml"), target + crd);
        Files.writeString(directory.resolve("base.yaml"), crd);
        Files.writeString(directory.resolve("target.yaml"), weak);
        assertThat(Run.in(directory, "check", "--git", "HEAD", "--", "all.yaml").out())
                .contains(": error: ");
        Git.run(directory, "add", "base.yaml");
        Git.run(directory, "commit", "-q", "-m", "one");
        Files.writeString(directory.resolve("all.yaml"), target);
        assertThat(Run.in(directory, "check", "--git", "HEAD").out()).contains(DIFFER + FOUND);
        assertThat(Run.in(directory, "check", "--git", "HEAD", "--crds", "base.yaml")
                        .out())
                .contains(": error: ");
    }

    @Test
    void withoutADefinitionTheyAreNotCounted() {
        assertThat(Run.in(OF_CHART, "check", "base.yaml", "target.yaml").out())
                .isEqualTo("0 objects checked, nothing found\n");
        assertThat(Run.in(OF_CHART, "check", "base.yaml", "target.yaml", "--crds", "crds/bucket.yaml")
                        .out())
                .contains(FOUND, "1 Bucket checked, ");
    }

    @Test
    void withoutADefinitionOfTheirVersionTheyAreNotCounted() throws IOException {
        for (var side : List.of("base.yaml", "target.yaml")) {
            var text = Files.readString(OF_CHART.resolve(side)).replace("example.com/v1", "example.com/v2");
            Files.writeString(directory.resolve(side), text);
        }
        var run = Run.in(
                directory,
                "check",
                "base.yaml",
                "target.yaml",
                "--crds",
                OF_CHART.resolve("crds").toString());

        assertThat(run.out()).isEqualTo("0 objects checked, nothing found\n");
        assertThat(run.code()).isEqualTo(ExitCode.NOTHING_FOUND);
    }

    /** Of the version before a definition need not know anything: the API server stores one that it has. */
    @Test
    void aChangeFromAVersionThatIsNoMoreIsJudged() throws IOException {
        Files.writeString(
                directory.resolve("base.yaml"),
                Files.readString(OF_CHART.resolve("base.yaml")).replace("example.com/v1", "example.com/v1beta1"));
        var target = Files.readString(OF_CHART.resolve("target.yaml"));
        Files.writeString(directory.resolve("target.yaml"), target);
        Files.writeString(directory.resolve("both.yaml"), target + "---\n" + definition());
        var crds = OF_CHART.resolve("crds").toString();

        assertThat(Run.in(directory, "check", "base.yaml", "target.yaml", "--crds", crds)
                        .out())
                .contains(FOUND);
        assertThat(Run.in(directory, "check", "base.yaml", "both.yaml").out()).contains(FOUND);
    }

    @Test
    void definitionsThatCannotBeReadAreTrouble() throws IOException {
        Files.writeString(directory.resolve("bad.yaml"), "kind: CustomResourceDefinition\noldSelf: [\n");

        var run = Run.in(OF_CHART, "check", "base.yaml", "target.yaml", "--crds", directory.toString());
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(run.errors()).contains("bad.yaml:3:1: ");

        Files.writeString(directory.resolve("bad.yaml"), "{{ if .x }}\nkind: CustomResourceDefinition\noldSelf: [\n");
        var template = Run.in(OF_CHART, "check", "base.yaml", "target.yaml", "--crds", directory.toString());
        assertThat(template.code()).isEqualTo(ExitCode.TROUBLE);
        assertThat(template.errors()).contains("bad.yaml is a template: name what helm template");

        assertThat(Run.in(OF_CHART, "check", "base.yaml", "target.yaml", "--crds", "none")
                        .errors())
                .isEqualTo("there is no file or folder none\n");
    }

    @Test
    void whatIsNamedAndWhatTargetHasCountBeforeWhatTheClusterHas() throws IOException {
        var named = Files.writeString(
                directory.resolve("named.yaml"),
                thing("example.com", "None", "v1", "self.a != oldSelf.a", "a always changes"));
        var published = Trees.resource("crd/openapi.yaml");

        var ofCluster = live(published, THING);
        assertThat(ofCluster.out()).contains("spec: a stays", "1 Thing checked, 1 finding");
        assertThat(ofCluster.errors()).isEmpty();
        assertThat(live(published, THING, "--crds", named.toString()).out()).contains("1 Thing checked, nothing found");
        assertThat(live(published, THING + "---\n" + Files.readString(named)).out())
                .contains("1 Thing checked, nothing found");
    }

    /** Otherwise its rules could find out what is in a Secret. */
    @Test
    void aDefinitionInTargetMakesNoKindOfKubernetesACustomResource() throws IOException {
        var definition = """
                ---
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                spec:
                  group: ""
                  names: {kind: Thing, plural: secrets}
                  scope: Cluster
                  versions:
                  - {name: v1, schema: {openAPIV3Schema: {type: object, x-kubernetes-validations: [{rule: "has(oldSelf.data)"}]}}}
                """;

        assertThat(live(Trees.JSON.createObjectNode(), THING.replace("example.com/v1", "/v1") + definition)
                        .out())
                .contains("0 objects checked");
    }

    /** Words of a real API server: {@code CustomResourceCheckIT}. */
    @Test
    void definitionsThatTheClusterDoesNotShowAreNamed() throws IOException {
        var refusal = Trees.JSON
                .getNodeFactory()
                .textNode(
                        "Error from server (Forbidden): forbidden: User \"system:anonymous\" cannot get path \"/openapi/v3/apis/example.com/v1\"");

        var run = live(refusal, THING);
        assertThat(run.out()).contains("0 objects checked, nothing found");
        assertThat(run.errors())
                .isEqualTo(
                        "custom resources of example.com/v1 were only checked by definitions in --crds and TARGET: you may not get /openapi/v3/apis/example.com/v1\n");
        assertThat(run.code()).isEqualTo(ExitCode.TROUBLE);
    }

    /** It is one object, whatever version of it the cluster serves. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {apiVersion: example.com/v2, kind: Thing, metadata: {name: a}} | 0 objects checked, nothing found | Thing of example.com/v2 was not judged: the cluster serves it as v1
            {apiVersion: example.com/v1, kind: Other, metadata: {name: a}} | 0 objects checked, nothing found | Other of example.com/v1 was not judged: the cluster serves no version of it
            {apiVersion: absent.example.com/v1, kind: Thing, metadata: {name: a}} | 0 objects checked, nothing found | Thing of absent.example.com/v1 was not judged: the cluster serves no version of it
            {apiVersion: storage.k8s.io/v1, kind: VolumeAttributesClass, metadata: {name: gold}, driverName: b} | 1 VolumeAttributesClass checked, 1 finding |
            {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: gpu}, spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: a}}]}}} | 1 ResourceClaim checked, nothing found |
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}} | 0 objects checked, nothing found | PriorityClass high was not judged: the cluster serves no version of this kind
            {apiVersion: kustomize.config.k8s.io/v1beta1, kind: Kustomization} | 0 objects checked |
            """)
    void anObjectOfAVersionThatTheClusterDoesNotServeIsNoNewOne(String target, String out, String left)
            throws IOException {
        var run = live(Trees.resource("crd/openapi.yaml"), target);

        assertThat(run.out()).contains(out);
        assertThat(run.errors()).isEqualTo(left == null ? "" : left + "\n");
        assertThat(run.code()).isEqualTo(out.contains("1 finding") ? ExitCode.FINDINGS : ExitCode.NOTHING_FOUND);
        if (left != null) {
            var strict = live(Trees.resource("crd/openapi.yaml"), target, "--strict");
            assertThat(strict.errors()).isEqualTo(left + "\n");
            assertThat(strict.code()).isEqualTo(ExitCode.TROUBLE);
        }
    }

    /** As where a change brings a new version of the definition along. */
    @ParameterizedTest
    @CsvSource({"None, a stays", "Webhook, a webhook converts the object"})
    void aVersionThatTargetDefinesIsComparedWithTheOneThatTheClusterServes(String conversion, String words)
            throws IOException {
        var target = """
                {apiVersion: example.com/v2, kind: Thing, metadata: {name: a}, spec: {a: y}}
                ---
                """ + thing("example.com", conversion, "v2", "self.a == oldSelf.a", "a stays");

        assertThat(live(Trees.resource("crd/openapi.yaml"), target).out())
                .contains(words, "1 Thing checked, 1 finding");
    }

    /** It is new, as its definition is. */
    @Test
    void anObjectWhoseDefinitionComesWithItNeedNotBeServedYet() throws IOException {
        var target = """
                {apiVersion: new.example.com/v1, kind: Thing, metadata: {name: a}, spec: {a: y}}
                ---
                """ + thing("new.example.com", "None", "v1", "self.a == oldSelf.a", "a stays");

        var run = live(Trees.resource("crd/openapi.yaml"), target, "--strict");

        assertThat(run.errors()).isEmpty();
        assertThat(run.out()).contains("1 Thing checked, nothing found");
    }

    private static String thing(String group, String conversion, String version, String rule, String message) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                spec:
                  group: %s
                  names: {kind: Thing, plural: things}
                  scope: Cluster
                  conversion: {strategy: %s}
                  versions:
                  - name: %s
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            x-kubernetes-validations: [{rule: "%s", message: %s}]
                            properties: {a: {type: string}, b: {type: string}}
                """.formatted(group, conversion, version, rule, message);
    }

    private Run live(JsonNode published, String target, String... options) throws IOException {
        var answers = Trees.JSON.createObjectNode();
        answers.setAll((ObjectNode) Trees.resource("crd/served.yaml"));
        answers.set("/version", Trees.json("{'gitVersion': 'v1.37.2'}"));
        answers.set("/openapi/v3/apis/example.com/v1", published);
        answers.set("/apis/example.com/v1/things/a", Trees.fromYaml(THING.replace("a: y", "a: x")));
        CannedCluster.in(directory, answers);
        var all = new ArrayList<>(List.of(
                "check",
                "--live",
                "-",
                "--kubectl",
                directory.resolve("kubectl").toString()));
        all.addAll(List.of(options));
        return Run.withInput(target, directory, all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatNeedsTooMuchMemoryIsNamedAndTheOthersAreJudged(boolean isLive)
            throws IOException, MalformedYaml, Unreadable {
        var crd = Files.readString(OF_CHART.resolve("crds/bucket.yaml"));
        var definitions = Definitions.NONE.with(DefinitionText.in("", crd, Manifests.NONE));
        var reader = new Manifests(GuardedKinds.ALL, definitions);
        var sides = new ArrayList<List<Manifest>>();
        for (var side : List.of("base.yaml", "target.yaml")) {
            sides.add(reader.in(
                    "",
                    "",
                    Files.readString(OF_CHART.resolve(side)) + "---\n"
                            + Files.readString(CASES.resolve("argocd").resolve(side))));
        }
        var appliers = Appliers.named(Optional.empty(), "");
        var pages = PackagedPages.withoutAddress();
        var checking = new Checking(
                new ManifestCheck(GuardedKinds.ALL, appliers, Optional.empty(), pages),
                new CustomResourceCheck(
                        definitions,
                        (rule, isOldOptional, schema, self, oldSelf) -> {
                            throw new OutOfMemoryError();
                        },
                        appliers,
                        pages));
        var answers = Trees.JSON.createObjectNode();
        sides.getFirst()
                .forEach(before -> answers.set(
                        "/apis/%s/namespaces/shop/%ss/%s"
                                .formatted(
                                        before.object().path("apiVersion").asText(),
                                        before.id().kind().toLowerCase(Locale.ROOT),
                                        before.id().name()),
                        before.object()));
        var findings = isLive
                ? checking.with(
                        new LiveObjects(CannedCluster.in(directory, answers), "default"), sides.getLast(), List.of())
                : checking.between(sides.getFirst(), sides.getLast());

        assertThat(findings.open())
                .singleElement()
                .extracting(Finding::code)
                .asString()
                .startsWith("ArgoCd");
        assertThat(checking.unread())
                .containsExactly("Bucket shop/moves was not checked: it needs more memory than there is");
        assertThat(checking.objects()).isEqualTo(Map.of("Job", 1));
    }

    /** As in the image. */
    @Test
    void withoutTheLibrariesEachRuleIsAWarning() {
        var libraries = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(jar -> !jar.contains("/dev/cel/"))
                .collect(joining(File.pathSeparator));
        var run = Command.run(
                Map.of(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        libraries,
                        "dev.gitopsinterlock.cli.Interlock",
                        "check",
                        IN_CHANGE.resolve("base.yaml").toString(),
                        IN_CHANGE.resolve("target.yaml").toString()));

        assertThat(run.out())
                .contains("(the image does not evaluate rules; the archive of the command line does): " + FOUND)
                .doesNotContain("error: ");
    }

    private void commit(Path file) throws IOException {
        commit(Files.readString(file));
    }

    private void commit(String text) throws IOException {
        Files.writeString(directory.resolve("all.yaml"), text);
        Git.run(directory, "add", "all.yaml");
        Git.run(directory, "commit", "-q", "-m", "one");
    }
}
