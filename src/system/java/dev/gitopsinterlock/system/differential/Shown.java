package dev.gitopsinterlock.system.differential;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gitopsinterlock.system.atlas.Condition;
import dev.gitopsinterlock.system.atlas.FieldRun;
import dev.gitopsinterlock.system.atlas.FieldRun.Counts;
import dev.gitopsinterlock.system.atlas.Place;
import dev.gitopsinterlock.system.differential.Wire.Answer;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** What an edit shows about one row of a table and one of its cases: what the API server alone did with it. */
record Shown(Place place, Effect effect) {

    enum Effect {
        ACCEPTED,
        /** Accepted, and the object is as it was. */
        IGNORED,
        REFUSED;

        private Counts one() {
            return new Counts(this == ACCEPTED ? 1 : 0, this == IGNORED ? 1 : 0, this == REFUSED ? 1 : 0);
        }
    }

    /**
     * Nothing if the edit changes several fields that the table has, or is refused for another reason.
     *
     * @param sent the object as the edit wants it, if that is known
     * @param places where an object differs from the live one; empty if it cannot be compared
     */
    static Optional<Shown> of(
            Answer without,
            boolean isImmutable,
            Optional<JsonNode> sent,
            Function<JsonNode, Optional<Set<Place>>> places) {
        var asked = sent.flatMap(places).flatMap(Shown::only);
        if (!without.isAccepted()) {
            return asked.filter(place -> isImmutable).map(place -> new Shown(place, Effect.REFUSED));
        }
        var stored = places.apply(without.body());
        return stored.filter(Set::isEmpty).isPresent()
                ? asked.map(place -> new Shown(place, Effect.IGNORED))
                : stored.flatMap(Shown::only).map(place -> new Shown(place, Effect.ACCEPTED));
    }

    private static Optional<Place> only(Set<Place> places) {
        return places.size() == 1 ? places.stream().findFirst() : Optional.empty();
    }

    /** Of a run that ends today. */
    static FieldRun run(long seed, Map<String, Integer> numbers, List<Shown> all) {
        var fields = new TreeMap<String, Map<String, Counts>>();
        for (var shown : all) {
            fields.computeIfAbsent(shown.place().field(), first -> new TreeMap<>())
                    .merge(shown.place().when().word(), shown.effect().one(), Counts::plus);
        }
        return new FieldRun(LocalDate.now(ZoneOffset.UTC).toString(), seed, numbers, fields);
    }

    JsonNode json() {
        return Wire.JSON
                .createObjectNode()
                .put("field", place.field())
                .put("when", place.when().name())
                .put("effect", effect.name());
    }

    static Optional<Shown> of(JsonNode json) {
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Shown(
                        new Place(
                                json.path("field").textValue(),
                                Condition.valueOf(json.path("when").textValue())),
                        Effect.valueOf(json.path("effect").textValue())));
    }
}
