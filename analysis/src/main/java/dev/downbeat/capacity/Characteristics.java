package dev.downbeat.capacity;

import dev.downbeat.run.RunResult;
import java.util.Optional;

/**
 * How a service responds to load. Immutable.
 *
 * @param capacity which rates it sustains, and its response times at each
 * @param calm a longer run at half the sustainable rate; empty if no rate was sustained
 * @param overload a run well above what it can do; empty if no rate was surely too high
 * @param unmeasured the rate at which the measurement ended before it was done, if it did
 */
public record Characteristics(
        Capacity capacity, Optional<RunResult> calm, Optional<RunResult> overload, Optional<Unmeasured> unmeasured) {}
