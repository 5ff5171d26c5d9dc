package dev.gitopsinterlock.cli.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How long all rules of a run may take. */
class BudgetTest {

    @Test
    void whatDoesNotEndTakesTheTimeOfAll() {
        var budget = new Budget(Duration.ofMillis(200));
        var never = new CountDownLatch(1);

        assertThat(budget.withinTime(() -> {
                    never.await();
                    return "";
                }))
                .isEmpty();
        assertThat(budget.withinTime(() -> "at once")).isEmpty();
    }

    @Test
    void whatEndsHasItsAnswer() {
        var budget = new Budget(Duration.ofHours(1));

        assertThat(budget.withinTime(() -> "at once")).contains("at once");
        assertThat(budget.withinTime(() -> "again")).contains("again");
    }
}
