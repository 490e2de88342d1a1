package dev.downbeat.simulate;

import java.util.Optional;

/** The state of a retry budget. Not thread-safe. */
final class RetryTokens {
    private final Optional<RetryPolicy.Budget> budget;
    private double left;

    RetryTokens(Optional<RetryPolicy.Budget> budget) {
        this.budget = budget;
    }

    /** Adds an operation's share. */
    void deposit() {
        if (budget.isPresent()) {
            left = Math.min(budget.get().most(), left + budget.get().share());
        }
    }

    /** Takes one retry from the budget; false if it is exhausted. */
    boolean take() {
        if (budget.isEmpty()) {
            return true;
        }
        boolean enough = left >= 1;
        left -= enough ? 1 : 0;
        return enough;
    }
}
