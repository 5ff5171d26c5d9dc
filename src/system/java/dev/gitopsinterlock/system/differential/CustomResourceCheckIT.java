package dev.gitopsinterlock.system.differential;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.cli.Run;
import dev.gitopsinterlock.cli.cel.RuleEvaluators;
import dev.gitopsinterlock.crd.Definition;
import dev.gitopsinterlock.crd.RuleEvaluator;
import dev.gitopsinterlock.crd.RuleOutcome;
import dev.gitopsinterlock.crd.TransitionRules;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import dev.gitopsinterlock.system.differential.Wire.User;
import dev.gitopsinterlock.testing.bed.ControlPlane;
import dev.gitopsinterlock.testing.bed.RequiresTools;
import dev.gitopsinterlock.testing.bed.Tool;
import dev.gitopsinterlock.testing.cluster.Cluster;
import dev.gitopsinterlock.testing.run.Patience;
import dev.gitopsinterlock.testing.text.Project;
import dev.gitopsinterlock.testing.text.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Edits custom resources of well-known products at random, and compares what their definitions' rules say here with what the
 * API server says. A rule that refuses here and not there, and one that refuses there and is not named here, are failures.
 */
@ExtendWith(Cluster.Extension.class)
@RequiresTools(
        definitions = {"cilium", "gatewayapi", "karpenter", "kueue", "openshiftconfig", "rosa", "snapshots", "trainer"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CustomResourceCheckIT {

    private static final List<String> PRODUCTS =
            List.of("cilium", "gatewayapi", "karpenter", "kueue", "openshiftconfig", "rosa", "snapshots", "trainer");
    private static final String NAMESPACE = "custom-resources";
    private static final Path BUCKETS =
            Project.directory().resolve("src/test/resources/check/custom-resource-of-a-chart/crds/bucket.yaml");

    private final ControlPlane kubernetes;
    private final long seed = Long.getLong("differential.seed", 20260101);
    private final int edits = Integer.getInteger("differential.n", 60);
    private final RuleEvaluator rules = new RuleEvaluators();
    private Map<String, JsonNode> definitions = Map.of();

    CustomResourceCheckIT(Cluster cluster) {
        this.kubernetes = cluster.controlPlane();
    }

    @BeforeAll
    void addDefinitions() {
        PRODUCTS.forEach(kubernetes::addDefinitionsOf);
        definitions = PRODUCTS.stream()
                .flatMap(product -> Tool.definitions(product).stream())
                .map(CustomResourceCheckIT::read)
                .collect(toMap(definition -> definition.at("/spec/names/kind").asText(), definition -> definition));
        kubernetes.createNamespace(NAMESPACE);
    }

    private static JsonNode read(Path file) {
        try {
            return Trees.fromYaml(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<ObjectNode> samples() {
        return Trees.documents("crd/samples.yaml").stream().map(ObjectNode.class::cast);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void saysWhatTheApiServerWillSay(ObjectNode base) {
        var kind = base.path("kind").asText();
        var definition = Objects.requireNonNull(definitions.get(kind), kind);
        var known = Definition.of(definition).orElseThrow();
        var schema = schema(definition, base);
        var said = said(schema, true);
        said.removeAll(said(schema, false));
        var isNamespaced = definition.at("/spec/scope").asText().equals("Namespaced");
        var wire = new Wire(
                kubernetes,
                "apis/" + base.path("apiVersion").asText(),
                (isNamespaced ? "namespaces/" + NAMESPACE + "/" : "")
                        + definition.at("/spec/names/plural").asText());
        if (isNamespaced) {
            base.withObject("/metadata").put("namespace", NAMESPACE);
        } else {
            var text = base.toString();
            kubernetes.afterClass(() -> kubernetes.admin().resource(text).delete());
        }
        var made = wire.send(User.WITHOUT_US, Wire.post(base));
        assertThat(made.isAccepted()).as("%s", made).isTrue();
        var wrong = new ArrayList<String>();
        var tally = new TreeMap<String, Integer>();
        var tallyByLive = new TreeMap<String, Integer>();
        var published = published(base.path("apiVersion").asText(), kind);
        for (int number = 1; number <= edits; number++) {
            var target = base.deepCopy();
            var random = new Random(Draw.seed(seed, kind, number));
            for (var times = random.nextInt(2); times >= 0; times--) {
                edit(target.withObject("/spec"), schema.at("/properties/spec"), random);
            }
            var outcomes = TransitionRules.of(known, base, target, rules);
            var byLive = TransitionRules.ofLive(published, made.body(), made.body(), target, rules);
            var answer = wire.send(User.WITHOUT_US, put(target, made.body()).asDryRun());
            for (var words : Stream.concat(
                            judge(outcomes, answer, said, tally).stream(),
                            judge(byLive, answer, said, tallyByLive).stream().map("by the live object: "::concat))
                    .toList()) {
                wrong.add("%s, edit %d, seed %d: %s%n%s%n%s".formatted(kind, number, seed, words, target, answer));
            }
        }
        System.out.printf(
                "rules of %s on %s: %s, by the live object %s%n", kind, kubernetes.version(), tally, tallyByLive);
        assertThat(wrong).isEmpty();
    }

    /** That of a kind, as the API server shows it a while after it was made. */
    private Definition published(String apiVersion, String kind) {
        return await(kind + " published")
                .atMost(Patience.LIMIT)
                .ignoreExceptions()
                .until(
                        () -> Definition.published(Trees.json(kubernetes
                                        .admin()
                                        .raw("/openapi/v3/apis/" + apiVersion)
                                        .getBytes(UTF_8)))
                                .stream()
                                .filter(each -> each.kind().equals(kind))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    static Stream<Arguments> edits() {
        return Stream.of(
                arguments("size: 20", "size: 30", List.of()),
                arguments("region: north", "region: south", List.of("error", "spec.region: a bucket cannot move")),
                arguments("size: 20", "", List.of("error", "spec.size: failed rule: self >= oldSelf")),
                arguments("owner: a", "owner: b", List.of("error", "an owner cannot change once the bucket is there")),
                arguments("a.example.com", "b.example.com", List.of("warning", "(it needs isURL())")),
                arguments(
                        "address: a.example.com",
                        "address: https://example.com",
                        List.of("warning", "(it needs isURL())")));
    }

    /** By what the cluster has: the definition, which everybody may read, the object and its status. */
    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("edits")
    void withLiveSaysWhatAnApplyWillMeet(String from, String to, List<String> said) {
        var manifest = addBucket();
        var file = kubernetes.file(manifest.replace(from, to));
        var reader = kubernetes.plainKubeconfig(NAMESPACE, "reader");
        kubernetes.kubectl("-n", NAMESPACE, "create", "role", "reader", "--verb=get", "--resource=buckets.example.com");
        kubernetes.kubectl(
                "-n",
                NAMESPACE,
                "create",
                "rolebinding",
                "reader",
                "--role=reader",
                "--serviceaccount=" + NAMESPACE + ":reader");

        var run = Run.on(kubernetes, reader, "check", "--live", file);
        var applied = kubernetes.kubectl("apply", "--dry-run=server", "-f", file);

        assertThat(run.errors()).isEmpty();
        assertThat(run.out())
                .contains("1 Bucket checked, ")
                .satisfies(out -> said.forEach(words -> assertThat(out).contains(words)));
        assertThat(run.code()).as(run.out()).isEqualTo(said.isEmpty() ? 0 : 1);
        if (!said.contains("warning")) {
            assertThat(applied.exitCode()).as("%s", applied).isEqualTo(run.code());
        }
        if (said.contains("error")) {
            assertThat(applied.err()).contains(said.getLast().replaceFirst("^spec.*?: ", ""));
        }
    }

    @Test
    void withLiveNamesWhatNobodyMayRead() throws IOException {
        var file = kubernetes.file(addBucket().replace("north", "south"));
        var nobody = Run.on(kubernetes, kubernetes.plainKubeconfig(NAMESPACE, "nobody"), "check", "--live", file);
        assertThat(nobody.errors())
                .isEqualTo("Bucket %s/moves was not checked: you may not get buckets.example.com in %s%n"
                        .formatted(NAMESPACE, NAMESPACE));
        assertThat(nobody.code()).isEqualTo(3);

        // kubectl without any credentials asks for a password
        var anonymous = Path.of(kubernetes.file(Files.readString(kubernetes.kubeconfig(NAMESPACE, "everybody"))
                .replace("user: {token", "user: {as: \"system:anonymous\", token")));
        var unknown = Run.on(kubernetes, anonymous, "check", "--live", file);
        assertThat(unknown.errors())
                .contains("custom resources of example.com/v1 were only checked by definitions in --crds and TARGET:"
                        + " you may not get /openapi/v3/apis/example.com/v1");
        assertThat(unknown.code()).isEqualTo(3);
    }

    /** With a status, by a client-side apply. */
    private String addBucket() {
        kubernetes.addDefinitions("buckets", List.of(BUCKETS));
        published("example.com/v1", "Bucket");
        var manifest = """
                apiVersion: example.com/v1
                kind: Bucket
                metadata: {name: moves, namespace: %s}
                spec:
                  region: north
                  owner: a
                  size: 20
                  address: a.example.com
                """.formatted(NAMESPACE);
        kubernetes.kubectl("apply", "-f", kubernetes.file(manifest)).orFail();
        kubernetes
                .kubectl(
                        "-n",
                        NAMESPACE,
                        "patch",
                        "bucket",
                        "moves",
                        "--subresource=status",
                        "--type=merge",
                        "-p",
                        "{\"status\": {\"ready\": true}}")
                .orFail();
        return manifest;
    }

    /** Of what {@code TransitionRulesTest} evaluates, too. */
    @Test
    void functionsSayWhatTheCasesSay(@TempDir Path directory) throws IOException {
        var cases = Trees.resource("crd/functions.yaml").valueStream().toList();
        var definition = Trees.fromYaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: functions.example.com}
                spec:
                  group: example.com
                  names: {kind: Function, plural: functions}
                  scope: Cluster
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {}}}}}
                """);
        var object = Trees.fromYaml("{apiVersion: example.com/v1, kind: Function, metadata: {name: a}}");
        var before = object.putObject("spec");
        var after = Trees.JSON.createObjectNode();
        for (var i = 0; i < cases.size(); i++) {
            var schema = cases.get(i).path("schema") instanceof ObjectNode named
                    ? named
                    : Trees.JSON.createObjectNode().put("type", "string").put("maxLength", 40);
            schema.putArray("x-kubernetes-validations")
                    .addObject()
                    .set("rule", cases.get(i).get("rule"));
            ((ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties"))
                    .set("f" + i, schema);
            before.set("f" + i, cases.get(i).get("before"));
            after.set("f" + i, cases.get(i).get("after"));
        }
        var file = Files.writeString(directory.resolve("functions.json"), definition.toString());
        kubernetes.addDefinitions("functions", List.of(file));
        var wire = new Wire(kubernetes, "apis/example.com/v1", "functions");
        var made = wire.send(User.WITHOUT_US, Wire.post(object));
        assertThat(made.isAccepted()).as("%s", made).isTrue();
        var text = object.toString();
        kubernetes.afterClass(() -> kubernetes.admin().resource(text).delete());
        object.set("spec", after);
        var answer = wire.send(User.WITHOUT_US, put(object, made.body()).asDryRun());
        var causes = answer.body()
                .at("/details/causes")
                .valueStream()
                .collect(toMap(
                        cause -> cause.path("field").asText(),
                        cause -> cause.path("message").asText()));
        for (var i = 0; i < cases.size(); i++) {
            var said = causes.get("spec.f" + i);
            assertThat(said == null ? "allowed" : said.contains("failed rule") ? "refused" : "error")
                    .as("%s: %s", cases.get(i), said)
                    .isEqualTo(cases.get(i).get("says").asText());
        }
    }

    /** What differs. */
    private static List<String> judge(
            List<RuleOutcome> outcomes, Answer answer, Set<String> said, Map<String, Integer> tally) {
        var words = answer.body().path("message").asText().replaceAll("\\s+", " ");
        var here = outcomes.stream()
                .filter(each -> each.unknown().isEmpty())
                .map(RuleOutcome::said)
                .toList();
        var there = answer.isAccepted()
                ? List.<String>of()
                : said.stream().filter(words::contains).toList();
        var unknown = outcomes.stream()
                .filter(each -> each.unknown().isPresent())
                .map(RuleOutcome::said)
                .toList();
        var result = answer.isAccepted() ? "accepted" : there.isEmpty() ? "refused otherwise" : "refused by rules";
        tally.merge(
                result + (!here.isEmpty() ? ", error" : !unknown.isEmpty() ? ", warning" : ", nothing"),
                1,
                Integer::sum);
        return Stream.concat(
                        here.stream().filter(each -> answer.isAccepted()).map(each -> "false alarm: " + each),
                        there.stream()
                                .filter(each -> !here.contains(each) && !unknown.contains(each))
                                .map(each -> "missed: " + each))
                .toList();
    }

    private static JsonNode schema(JsonNode definition, JsonNode object) {
        return definition
                .at("/spec/versions")
                .valueStream()
                .filter(version -> object.path("apiVersion")
                        .asText()
                        .endsWith("/" + version.path("name").asText()))
                .findFirst()
                .orElseThrow()
                .at("/schema/openAPIV3Schema");
    }

    /** What the API server says of transition rules, or of others. */
    private static Set<String> said(JsonNode schema, boolean isOfChanges) {
        var said = new TreeSet<String>();
        for (var rule : schema.path("x-kubernetes-validations")) {
            if (rule.path("rule").asText().contains("oldSelf") == isOfChanges) {
                var message = rule.path("message").asText().strip();
                said.add((message.isEmpty()
                                ? "failed rule: " + rule.path("rule").asText().strip()
                                : message)
                        .replaceAll("\\s+", " "));
            }
        }
        schema.forEach(below -> said.addAll(said(below, isOfChanges)));
        return said;
    }

    /** Changes, adds or removes something at random. */
    private static void edit(ObjectNode object, JsonNode schema, Random random) {
        var isWritten = !object.isEmpty() && random.nextInt(10) < 6;
        var names = (isWritten ? object : schema.path("properties"))
                .properties().stream().map(Map.Entry::getKey).toList();
        if (names.isEmpty()) {
            object.put("k" + random.nextInt(2), word(random));
            return;
        }
        var name = names.get(random.nextInt(names.size()));
        var below = schema.path("properties").has(name)
                ? schema.path("properties").get(name)
                : schema.path("additionalProperties");
        if (object.get(name) instanceof ObjectNode value && random.nextInt(10) < 7) {
            edit(value, below, random);
        } else if (object.path(name).path(0) instanceof ObjectNode item && random.nextInt(10) < 5) {
            edit(item, below.path("items"), random);
        } else if (object.has(name) && random.nextInt(10) < 3) {
            object.remove(name);
        } else {
            object.set(name, value(below, random));
        }
    }

    private static JsonNode value(JsonNode schema, Random random) {
        var json = Trees.JSON.getNodeFactory();
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return random.nextBoolean() ? json.numberNode(1 + random.nextInt(3)) : json.textNode("1");
        }
        return switch (schema.path("type").asText()) {
            case "integer", "number" -> json.numberNode(1 + random.nextInt(30));
            case "boolean" -> json.booleanNode(random.nextBoolean());
            case "array" -> {
                var list = json.arrayNode();
                for (var items = random.nextInt(3); items > 0; items--) {
                    list.add(value(schema.path("items"), random));
                }
                yield list;
            }
            case "object" -> {
                var object = json.objectNode();
                var required = schema.path("required")
                        .valueStream()
                        .map(JsonNode::asText)
                        .toList();
                schema.path("properties").properties().forEach(property -> {
                    if (required.contains(property.getKey()) || random.nextInt(4) == 0) {
                        object.set(property.getKey(), value(property.getValue(), random));
                    }
                });
                if (schema.path("additionalProperties").isObject()) {
                    object.set("k" + random.nextInt(2), value(schema.path("additionalProperties"), random));
                }
                yield object;
            }
            default -> json.textNode(word(random));
        };
    }

    private static String word(Random random) {
        return List.of("one", "two", "example.com/one", "10.0.0.3", "10.30.0.0/16", "4.20.1")
                .get(random.nextInt(6));
    }

    /** Replaced as a whole: a server-side apply drops what has only empty lists left, and so does not ask the rule about it. */
    private static Wire.Request put(ObjectNode manifest, JsonNode live) {
        var sent = manifest.deepCopy();
        sent.withObject("/metadata").set("resourceVersion", live.at("/metadata/resourceVersion"));
        return new Wire.Request(
                "PUT", "/" + manifest.at("/metadata/name").asText(), Map.of(), "application/json", sent);
    }
}
