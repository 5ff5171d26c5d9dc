package dev.gitopsinterlock.edit;

import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.admission.ResourceType;
import dev.gitopsinterlock.admission.SchemaCheck;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.guidance.GuidanceCode;
import dev.gitopsinterlock.guidance.Recipient;
import dev.gitopsinterlock.guidance.RefusedEdit;
import dev.gitopsinterlock.guidance.RefusedFields;
import dev.gitopsinterlock.immutability.Comparison;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldSemantics;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.immutability.PathPattern;
import dev.gitopsinterlock.patch.PatchBuilder;
import dev.gitopsinterlock.policy.Policy;
import dev.gitopsinterlock.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind some of whose fields the API server does not change, as far as that is known for certain: all that the engine knows
 * of it.
 *
 * @param type how the API names it
 * @param namespaced whether its objects are in a Namespace
 * @param form that a request's objects have, so that nobody has to fear what a stranger sends
 * @param table its fixed fields
 * @param judgement what becomes of a difference in them. Read widely: what is called refused is refused by every supported API
 *     server
 * @param semantics what the API server takes for equal in them
 * @param advice what helps, by the fields that are refused
 * @param phrases what the API server says of fields of which it says something else than is usual
 * @param repair of a PUT
 * @param drops what some servers take out
 * @param tellsOfDoubt whether who sends an edit that only some servers refuse hears what would help then
 * @param strategy how an edit is carried out; empty where it never is
 * @param manifests what becomes of its manifests
 */
public record GuardedKind(
        ResourceType type,
        boolean namespaced,
        SchemaCheck form,
        FieldTable<?> table,
        Judgement judgement,
        FieldSemantics semantics,
        Advice advice,
        List<Phrase> phrases,
        Repair repair,
        ServerDrops drops,
        boolean tellsOfDoubt,
        Optional<Strategy> strategy,
        ManifestRules manifests) {

    public GuardedKind {
        phrases = List.copyOf(phrases);
    }

    /** This kind, of which the server says these phrases. */
    public GuardedKind whoseServerSays(List<Phrase> said) {
        return with(said, strategy);
    }

    /** This kind with what carries its edits out. */
    public GuardedKind withStrategy(Strategy how) {
        return with(phrases, Optional.of(how));
    }

    private GuardedKind with(List<Phrase> said, Optional<Strategy> how) {
        return new GuardedKind(
                type,
                namespaced,
                form,
                table,
                judgement,
                semantics,
                advice,
                said,
                repair,
                drops,
                tellsOfDoubt,
                how,
                manifests);
    }

    /**
     * What the API server says of fields.
     *
     * @param fields and everything below them
     * @param before which minor version of Kubernetes
     */
    public record Phrase(PathPattern fields, String words, int before) {}

    /** Chooses what is said. */
    @FunctionalInterface
    public interface Advice {

        GuidanceCode of(Change change, List<FieldPath> refused);

        /** Another tool that the object's source lives in, where the advice has no page of its own for that. */
        default Optional<Tool> owner(Change change) {
            return change.otherOwner();
        }
    }

    /** Puts back what a PUT left out, because others gave it to the object. */
    @FunctionalInterface
    public interface Repair {

        Repair NONE = (change, submitted, policy) -> List.of();

        /** Changes what was submitted; what the client hears where the edit then passes. */
        List<Warning> repair(Change change, PatchBuilder submitted, Policy.Values policy);
    }

    /** Takes out what some server drops in silence. */
    @FunctionalInterface
    public interface ServerDrops {

        ServerDrops NONE = (submitted, live) -> submitted;

        JsonNode without(JsonNode submitted, JsonNode live);
    }

    /** How an edit is carried out, where the cluster's settings allow it. */
    Optional<Strategy> strategy(Policy.Levels levels) {
        return strategy.filter(known -> known.isOn(levels));
    }

    /** As reviews name it: {@code apps/v1/StatefulSet}. */
    public String id() {
        return type.id();
    }

    /** The API group of this kind; empty for the core's. */
    public String group() {
        return type.group();
    }

    /** {@code StatefulSet}. */
    public String name() {
        return type.kind();
    }

    /** As a resource: {@code statefulsets}. */
    public String plural() {
        return type.plural();
    }

    /**
     * What the API server says when it refuses a change of the field. One whose version is not known counts as an old one: fewer
     * tools take its words as a reason to delete.
     */
    String phrase(FieldPath field, int minor) {
        return phrases.stream()
                .filter(phrase -> minor < phrase.before() && phrase.fields().covers(field))
                .map(Phrase::words)
                .findFirst()
                .orElse(RefusedFields.USUAL_PHRASE);
    }

    /**
     * The advice for an edit.
     *
     * @param refused or those that only some servers refuse
     * @param minor the API server's minor version, by which its words differ; 0 where it is not known
     */
    public RefusedEdit denial(Change change, List<FieldPath> refused, int minor) {
        return denial(
                change,
                advice.of(change, refused),
                new RefusedFields(
                        group(),
                        name(),
                        change.object(),
                        refused.stream().map(FieldPath::toString).toList(),
                        refused.stream().map(field -> phrase(field, minor)).toList()),
                "");
    }

    /**
     * Another one.
     *
     * @param fields that cannot change, as texts
     * @param reason what the sentence needs
     */
    RefusedEdit denial(Change change, GuidanceCode code, List<String> fields, String reason, int minor) {
        var phrase = phrase(FieldPath.of("spec"), minor);
        return denial(
                change,
                code,
                new RefusedFields(
                        group(),
                        name(),
                        change.object(),
                        fields,
                        fields.stream().map(field -> phrase).toList()),
                reason);
    }

    private RefusedEdit denial(Change change, GuidanceCode code, RefusedFields refused, String reason) {
        return new RefusedEdit(
                code,
                change.tool(),
                advice.owner(change).map(Recipient.class::cast),
                refused,
                reason,
                Optional.empty());
    }

    /** What becomes of an edit's differences; empty where the two objects cannot be compared. */
    Optional<Classification> classify(JsonNode before, JsonNode after) {
        return classify(before, after, judgement.about(before, after))
                .map(found -> found.refused().isEmpty() ? found : asDropped(found, before, after));
    }

    /** Whether all that is refused is of parts that some server drops, so that this one accepts what is left. */
    private Classification asDropped(Classification found, JsonNode before, JsonNode after) {
        var kept = drops.without(after, before);
        return !kept.equals(after)
                        && classify(before, kept, judgement.about(before, kept))
                                .filter(left -> left.refused().isEmpty())
                                .isPresent()
                ? new Classification(List.of(), found.refused())
                : found;
    }

    /** The classification in circumstances that are known otherwise, of parts that every server has. */
    public Optional<Classification> classify(
            JsonNode before, JsonNode after, Function<Difference, Mutability> becomes) {
        return differences(before, after).map(differences -> {
            var found = differences.stream().collect(groupingBy(becomes));
            return new Classification(
                    inApiOrder(found.getOrDefault(Mutability.REFUSED, List.of())),
                    inApiOrder(found.getOrDefault(Mutability.UNSURE, List.of())));
        });
    }

    private List<Difference> inApiOrder(List<Difference> differences) {
        return differences.stream().sorted(table.inApiOrder()).toList();
    }

    /** The differences in the fields of the table; empty where the two objects cannot be compared. */
    public Optional<List<Difference>> differences(JsonNode before, JsonNode after) {
        var differences = new ArrayList<Difference>();
        for (var field : table.fields()) {
            var names = field.names();
            var found = Comparison.between(semantics, path(names), at(before, names), at(after, names));
            if (found.isEmpty()) {
                return Optional.empty();
            }
            differences.addAll(found.get());
        }
        return Optional.of(List.copyOf(differences));
    }

    private static FieldPath path(List<String> field) {
        var path = FieldPath.ROOT;
        for (var name : field) {
            path = path.field(name);
        }
        return path;
    }

    private static JsonNode at(JsonNode object, List<String> field) {
        var node = object;
        for (var name : field) {
            node = node.path(name);
        }
        return node;
    }
}
