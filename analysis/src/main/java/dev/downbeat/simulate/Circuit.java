package dev.downbeat.simulate;

import java.util.Arrays;
import java.util.Optional;

/** The state of a circuit breaker. Times are nanoseconds from the start of the run. Not thread-safe. */
final class Circuit {
    private static final int NO_TRIAL = -1;

    private final Optional<RetryPolicy.Breaker> breaker;
    private final boolean[] failed;
    private int seen;
    private int failures;
    private boolean open;
    private long openUntilNanos;

    /** The slot of the trial attempt that was allowed although the circuit is open. */
    private int trial = NO_TRIAL;

    private long opened;

    Circuit(Optional<RetryPolicy.Breaker> breaker) {
        this.breaker = breaker;
        this.failed = new boolean[breaker.map(RetryPolicy.Breaker::window).orElse(0)];
    }

    /** Whether an attempt is allowed. */
    boolean lets(int slot, long nanos) {
        if (!open) {
            return true;
        }
        if (nanos < openUntilNanos || trial != NO_TRIAL) {
            return false;
        }
        trial = slot;
        return true;
    }

    /** Records the end of an attempt. */
    void ended(int slot, boolean answered, long nanos) {
        if (breaker.isEmpty()) {
            return;
        }
        if (open) {
            endedWhileOpen(slot, answered, nanos);
            return;
        }
        int place = seen++ % failed.length;
        failures += (answered ? 0 : 1) - (failed[place] ? 1 : 0);
        failed[place] = !answered;
        if (seen >= failed.length && failures >= breaker.get().share() * failed.length) {
            open(nanos);
        }
    }

    /** Attempts already under way when the circuit opened are ignored. */
    private void endedWhileOpen(int slot, boolean answered, long nanos) {
        if (slot != trial) {
            return;
        }
        trial = NO_TRIAL;
        if (answered) {
            open = false;
            seen = 0;
            failures = 0;
            Arrays.fill(failed, false);
        } else {
            open(nanos);
        }
    }

    private void open(long nanos) {
        open = true;
        opened++;
        openUntilNanos = nanos + breaker.orElseThrow().openNanos();
    }

    /** How often the circuit opened. */
    long opened() {
        return opened;
    }
}
