package dev.gitopsinterlock.admission;

/**
 * What the request of a review says.
 *
 * @param <C> the facts that a rule judges
 */
public sealed interface ParseResult<C> {

    record Parsed<C>(C change) implements ParseResult<C> {}

    /**
     * The request lacks what a rule needs, or has it in another form. The API server judges it by itself.
     *
     * @param where the path of the first part that is not as expected
     */
    record Unsupported<C>(String where) implements ParseResult<C> {}
}
