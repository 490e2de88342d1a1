package dev.downbeat.simulate;

import java.util.Optional;

/** What is left of a retry budget. Not thread-safe. */
final class RetryTokens {
    private final Optional<RetryPolicy.Budget> budget;
    private double left;

    RetryTokens(Optional<RetryPolicy.Budget> budget) {
        this.budget = budget;
    }

    /** An operation begins. */
    void payIn() {
        if (budget.isPresent()) {
            left = Math.min(budget.get().most(), left + budget.get().share());
        }
    }

    /** Whether there is enough for a retry, which is then taken. */
    boolean take() {
        if (budget.isEmpty()) {
            return true;
        }
        boolean enough = left >= 1;
        left -= enough ? 1 : 0;
        return enough;
    }
}
