package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.job.JobCases;
import dev.gitopsinterlock.system.differential.Editor.Place;
import dev.gitopsinterlock.system.differential.Schema.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws edits. One of five is of a single row of the table, in a place where nothing else has to change for it, so that the
 * deep rows have edits as well. The others are of 1 to 3 places: one of six is a field that comes or goes empty. Of the others two of three are what people
 * edit in a Job; the third comes from a deck of all fields, which is dealt to its end before any field comes again.
 */
final class Edits {

    /** A field stands here as often as it is to be drawn, relative to the others. */
    private static final List<String> BY_PEOPLE = Stream.of(
                    times(6, "spec.template.spec.containers[*].image", "spec.template.spec.containers[*].env[*].value"),
                    times(
                            3,
                            "spec.template.spec.containers[*].args",
                            "spec.template.spec.containers[*].command",
                            "spec.template.spec.containers[*].env",
                            "spec.template.spec.containers[*].resources.requests",
                            "spec.template.spec.containers[*].resources.limits",
                            "spec.template.metadata.labels",
                            "spec.template.metadata.annotations"),
                    times(
                            2,
                            "spec.backoffLimit",
                            "spec.completions",
                            "spec.parallelism",
                            "spec.suspend",
                            "spec.ttlSecondsAfterFinished",
                            "spec.template.spec.initContainers[*].image",
                            "spec.template.spec.nodeSelector",
                            "spec.template.spec.serviceAccountName",
                            "spec.template.spec.tolerations",
                            "spec.template.spec.volumes"),
                    times(
                            1,
                            "spec.activeDeadlineSeconds",
                            "spec.backoffLimitPerIndex",
                            "spec.completionMode",
                            "spec.managedBy",
                            "spec.manualSelector",
                            "spec.maxFailedIndexes",
                            "spec.podFailurePolicy",
                            "spec.podReplacementPolicy",
                            "spec.selector",
                            "spec.successPolicy",
                            "spec.template.spec.affinity",
                            "spec.template.spec.affinity.nodeAffinity",
                            "spec.template.spec.containers",
                            "spec.template.spec.containers[*].resources",
                            "spec.template.spec.containers[*].securityContext",
                            "spec.template.spec.containers[*].volumeMounts",
                            "spec.template.spec.imagePullSecrets",
                            "spec.template.spec.restartPolicy",
                            "spec.template.spec.schedulingGates",
                            "spec.template.spec.securityContext",
                            "spec.template.spec.terminationGracePeriodSeconds"))
            .flatMap(names -> names)
            .toList();

    /**
     * Where nothing and an empty one are easily taken for the same, or for different: pointers, among them some whose name
     * is a value's elsewhere, and structs, maps and scalars by value.
     */
    private static final List<String> EMPTY_OR_NOT = Stream.concat(
                    Stream.of(
                            "spec.podFailurePolicy",
                            "spec.successPolicy",
                            "spec.template.metadata.annotations",
                            "spec.template.spec.affinity",
                            "spec.template.spec.affinity.nodeAffinity",
                            "spec.template.spec.affinity.podAffinity",
                            "spec.template.spec.dnsConfig",
                            "spec.template.spec.hostname",
                            "spec.template.spec.nodeSelector",
                            "spec.template.spec.resources",
                            "spec.template.spec.securityContext",
                            "spec.template.spec.setHostnameAsFQDN",
                            "spec.template.spec.shareProcessNamespace",
                            "spec.template.spec.volumes[*].configMap.optional",
                            "spec.template.spec.volumes[*].csi.readOnly",
                            "spec.template.spec.volumes[*].emptyDir"),
                    Stream.of("containers", "initContainers")
                            .flatMap(list -> Stream.of(
                                            "lifecycle",
                                            "livenessProbe",
                                            "resources",
                                            "restartPolicy",
                                            "securityContext",
                                            "securityContext.capabilities",
                                            "tty",
                                            "volumeMounts[*].readOnly",
                                            "volumeMounts[*].subPath",
                                            "workingDir")
                                    .map(field -> "spec.template.spec." + list + "[*]." + field)))
            .toList();

    private static final List<Method> METHODS = List.of(Method.values());
    private static final int ROW_ONE_IN = 5;

    private final Schema schema;
    private final long seed;
    private final List<Field> rows;
    private final List<Field> deck = new ArrayList<>();

    Edits(Schema schema, long seed) {
        this.schema = schema;
        this.seed = seed;
        this.rows = JobCases.rows().stream()
                .map(row -> schema.atOrUnknown(row.path()))
                .toList();
    }

    private static Stream<String> times(int times, String... fields) {
        return Collections.nCopies(times, List.of(fields)).stream().flatMap(List::stream);
    }

    /** What an edit is to touch, and the number that decides about everything else in it. */
    record Plan(int number, long seed, List<Target> targets) {

        /** Whether it touches one row of the table instead. */
        boolean isOfRow() {
            return number % ROW_ONE_IN == 0;
        }
    }

    /** A field to edit, or to be made empty if it is absent and absent if it is there. */
    record Target(Field field, boolean isEmptyOrNot) {}

    /** A request and the places that it edits. */
    record Edit(Plan plan, Method method, List<Place> places, ObjectNode spec, Wire.Request request) {

        /** The Job as the edit wants it; empty where the API server puts that together by rules of its own. */
        Optional<JsonNode> sent() {
            return switch (method) {
                case PUT -> Optional.of(request.body());
                case MERGE_PATCH, JSON_PATCH ->
                    Optional.of(JsonNodeFactory.instance.objectNode().set("spec", spec));
                case STRATEGIC_MERGE_PATCH, SERVER_SIDE_APPLY -> Optional.empty();
            };
        }
    }

    /** The first ones of this seed. */
    List<Plan> plans(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(this::plan).toList();
    }

    /** To be called in the order of the numbers, because the deck is dealt in that order. */
    Plan plan(int number) {
        var own = Draw.seed(seed, "edit", number);
        return new Plan(number, own, targets(new Random(own)));
    }

    /** Carries the plan out for this Job. The same plan and spec give the same edit. */
    Edit edit(Plan plan, ObjectNode job) {
        var random = new Random(plan.seed());
        var spec = (ObjectNode) job.path("spec").deepCopy();
        var editor = new Editor(random);
        var places = plan.isOfRow()
                ? editor.editInPlace(spec, rows).stream().toList()
                : editor.editAll(spec, plan.targets());
        if (!plan.isOfRow() && random.nextInt(30) == 0) {
            var size = random.nextInt(5);
            spec.put("completions", size).put("parallelism", size);
        }
        var method = METHODS.get(random.nextInt(METHODS.size()));
        var body = method.body(job, spec, schema.spec(), random);
        return new Edit(
                plan,
                method,
                places,
                spec,
                new Wire.Request(
                        method.verb(),
                        "/" + job.at("/metadata/name").asText(),
                        parameters(method),
                        method.contentType(),
                        body));
    }

    private static Map<String, String> parameters(Method method) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("fieldManager", method == Method.SERVER_SIDE_APPLY ? "kubectl" : "kubectl-edit");
        if (method == Method.SERVER_SIDE_APPLY) {
            parameters.put("force", "true");
        }
        return parameters;
    }

    private List<Target> targets(Random random) {
        var number = random.nextInt(10);
        return Stream.generate(() -> target(random))
                .limit(number < 6 ? 1 : number < 9 ? 2 : 3)
                .toList();
    }

    private Target target(Random random) {
        return random.nextInt(6) == 0 ? new Target(emptyOrNot(schema, random), true) : new Target(field(random), false);
    }

    /** One of the fields that are to come or go empty. */
    static Field emptyOrNot(Schema schema, Random random) {
        return schema.at(EMPTY_OR_NOT.get(random.nextInt(EMPTY_OR_NOT.size())));
    }

    private Field field(Random random) {
        if (random.nextInt(3) > 0) {
            return schema.at(BY_PEOPLE.get(random.nextInt(BY_PEOPLE.size())));
        }
        if (deck.isEmpty()) {
            deck.addAll(schema.fields());
            Collections.shuffle(deck, random);
        }
        return deck.removeLast();
    }
}
