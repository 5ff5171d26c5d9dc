package dev.gitopsinterlock.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.edit.Judgement;
import dev.gitopsinterlock.edit.ManifestRules;
import dev.gitopsinterlock.edit.NextChange;
import dev.gitopsinterlock.immutability.FieldTable;
import dev.gitopsinterlock.immutability.KubernetesVersion;
import dev.gitopsinterlock.immutability.StoredForm;
import dev.gitopsinterlock.tool.FieldManager.Method;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The manifests of a kind of which a table says all.
 *
 * @param table of its fields
 * @param form in which it is stored
 * @param nextChange what comes most often and is refused
 * @param written a manifest whose second ways to write a field are written in the first
 */
record TableManifests(
        FieldTable<Fixed> table, StoredForm form, Optional<NextChange> nextChange, UnaryOperator<JsonNode> written)
        implements ManifestRules {

    @Override
    public ObjectNode stored(JsonNode manifest) {
        return form.of(written.apply(manifest));
    }

    @Override
    public ObjectNode patched(JsonNode live, JsonNode base, JsonNode target, Method method) {
        return ManifestRules.super.patched(live, base, written.apply(target), method);
    }

    @Override
    public List<State> states(JsonNode manifest, Optional<KubernetesVersion> version) {
        var ofClaim = table.rows().stream().anyMatch(row -> row.exemption() == Fixed.WHILE_BOUND);
        return ofClaim ? List.of(state(false, ""), state(true, "the claim is bound")) : List.of(state(false, ""));
    }

    private State state(boolean bound, String words) {
        return new State(
                (before, after) ->
                        difference -> table.mutability(difference, fixed -> fixed.imagined(difference, before, bound)),
                words);
    }

    @Override
    public Judgement judgement(Optional<KubernetesVersion> version) {
        return (before, after) -> difference -> table.mutability(difference, fixed -> fixed.of(difference, before));
    }
}
