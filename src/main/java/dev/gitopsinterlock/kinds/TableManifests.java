package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.admission.Warning;
import dev.gitopsinterlock.edit.Change;
import dev.gitopsinterlock.edit.Judgement;
import dev.gitopsinterlock.edit.ManifestRules;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.immutability.Difference;
import dev.gitopsinterlock.immutability.FieldPath;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.immutability.Mutability;
import dev.gitopsinterlock.immutability.Quantity;
import dev.gitopsinterlock.immutability.StoredForm;
import dev.gitopsinterlock.tool.FieldManager.Method;
import dev.gitopsinterlock.tool.MarkLint;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The manifests of a kind of which a table says all.
 *
 * @param table of its fields
 * @param form in which it is stored
 * @param written what they leave out, and how else they are written
 */
record TableManifests(FieldTable<Fixed> table, StoredForm form, WrittenForm written) implements ManifestRules {

    private static final JsonPointer REQUESTS = JsonPointer.compile("/spec/resources/requests");

    @Override
    public boolean isComplete(JsonNode manifest) {
        return written.isComplete(manifest);
    }

    @Override
    public JsonNode converted(JsonNode manifest) {
        return written.converted().apply(manifest);
    }

    @Override
    public ObjectNode stored(JsonNode manifest) {
        return form.of(written.rewritten().apply(manifest));
    }

    @Override
    public ObjectNode patched(JsonNode live, JsonNode base, JsonNode target, Method method) {
        return ManifestRules.super.patched(live, base, written.rewritten().apply(target), method);
    }

    @Override
    public List<State> states(JsonNode manifest, Optional<KubernetesVersion> version) {
        var ofClaim = table.rows().stream().anyMatch(row -> row.exemption() == Fixed.WHILE_BOUND);
        return ofClaim ? List.of(state(false, ""), state(true, "the claim is bound")) : List.of(state(false, ""));
    }

    private State state(boolean isBound, String words) {
        return new State(
                (before, after) -> difference ->
                        judged(difference, before, after, (fixed, found) -> fixed.imagined(found, before, isBound)),
                words,
                isBound);
    }

    @Override
    public Judgement judgement(Optional<KubernetesVersion> version) {
        return (before, after) ->
                difference -> judged(difference, before, after, (fixed, found) -> fixed.of(found, before));
    }

    @Override
    public List<Warning> mistakes(Change creation) {
        return creation.isForOthers() ? List.of() : MarkLint.of(creation.after());
    }

    @Override
    public Optional<NextChange> nextChange() {
        return written.versions().nextChange();
    }

    @Override
    public List<FieldPath> fixedVersions(JsonNode manifest) {
        return written.versions().in(manifest);
    }

    private Mutability judged(
            Difference difference, JsonNode before, JsonNode after, BiFunction<Fixed, Difference, Mutability> says) {
        return table.mutability(difference, row -> {
            // a part of a field that is set changes it
            var found = row.fields().is(difference.path())
                    ? difference
                    : new Difference(difference.path(), Difference.Kind.CHANGED);
            var said = says.apply(row.exemption(), found);
            return said == Mutability.ACCEPTED && row.exemption() == Fixed.WHILE_BOUND && !grows(before, after)
                    ? Mutability.UNSURE
                    : said;
        });
    }

    /** Whether a claim asks for nothing but more space. */
    private static boolean grows(JsonNode before, JsonNode after) {
        var old = before.at(REQUESTS);
        var now = after.at(REQUESTS);
        return now.size() == 1
                && old.size() == 1
                && Quantity.isAtLeast(
                        now.path("storage").asText(), old.path("storage").asText());
    }
}
