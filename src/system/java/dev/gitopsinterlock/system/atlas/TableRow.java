package dev.gitopsinterlock.system.atlas;

import java.util.List;
import java.util.Map;

/**
 * A row of a table, as the atlas has it.
 *
 * @param path the fields and everything below them
 * @param isGated whether a feature gate decides about one of the cases
 */
public record TableRow(String path, boolean isGated, List<Case> cases) {

    public TableRow {
        cases = List.copyOf(cases);
    }

    /**
     * What becomes of an edit.
     *
     * @param outcomes by the minor version of the API server, whose gates are as they come
     */
    public record Case(Condition when, Map<String, FieldOutcome> outcomes) {}
}
