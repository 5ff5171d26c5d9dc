package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.gitopsinterlock.system.differential.Editor.Change;
import dev.gitopsinterlock.system.differential.Editor.Place;
import dev.gitopsinterlock.system.differential.Tally.Result;

/** How the results of Jobs' edits are written. */
record ResultFormat(Schema schema) implements Ledger.Format<Result> {

    @Override
    public ObjectNode written(Result result) {
        var edit = Wire.JSON
                .createObjectNode()
                .put("state", result.state().name())
                .put("method", result.method().name())
                .put("outcome", result.outcome().name());
        var places = edit.putArray("places");
        result.places()
                .forEach(place -> places.addObject()
                        .put("field", place.field().path())
                        .put("change", place.change().name()));
        result.shown().ifPresent(shown -> edit.set("shown", shown.json()));
        if (!result.detail().isEmpty()) {
            edit.put("detail", result.detail());
        }
        return edit;
    }

    @Override
    public Result read(JsonNode edit) {
        return new Result(
                State.valueOf(edit.path("state").textValue()),
                Method.valueOf(edit.path("method").textValue()),
                edit.path("places")
                        .valueStream()
                        .map(place -> new Place(
                                schema.atOrUnknown(place.path("field").textValue()),
                                Change.valueOf(place.path("change").textValue())))
                        .toList(),
                Outcome.valueOf(edit.path("outcome").textValue()),
                Shown.of(edit.path("shown")),
                edit.path("detail").asText());
    }
}
