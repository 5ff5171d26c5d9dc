package dev.gitopsinterlock.webhook;

/**
 * What the request of a review says.
 *
 * @param <C> the facts that a rule judges
 */
sealed interface Reading<C> {

    record Judgeable<C>(C change) implements Reading<C> {}

    /**
     * The request lacks what a rule needs, or has it in another form. The API server judges it by itself.
     *
     * @param where the path of the first part that is not as expected
     */
    record Unjudgeable<C>(String where) implements Reading<C> {}
}
