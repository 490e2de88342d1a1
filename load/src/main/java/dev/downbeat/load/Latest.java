package dev.downbeat.load;

import dev.downbeat.exchange.Fate;
import dev.downbeat.record.Ledger;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What was measured last and how all requests ended until then: what meters read that outlive a measurement. Thread-safe.
 */
public final class Latest {
    private volatile Shown shown = new Shown(Optional.empty(), Ledger.EMPTY);

    private record Shown(Optional<Measured> newest, Ledger sum) {}

    /** Takes the place of what was shown before; its requests are added to those before. */
    public synchronized void show(Measured measured) {
        shown = new Shown(Optional.of(measured), shown.sum().plus(measured.ledger()));
    }

    /**
     * A percentile of the response time in nanoseconds; empty if nothing was answered in what was measured last.
     *
     * @param percentile from 0 to 100
     */
    public OptionalLong responseNanos(double percentile) {
        return shown.newest()
                .map(Measured::response)
                .filter(times -> !times.isEmpty())
                .map(times -> OptionalLong.of(times.valueAtPercentile(percentile)))
                .orElseGet(OptionalLong::empty);
    }

    /** How many requests ended so in all. */
    public long count(Fate fate) {
        return shown.sum().count(fate);
    }

    /** How many had not ended when it was measured last. */
    public long inFlight() {
        return shown.newest().map(measured -> measured.ledger().inFlight()).orElse(0L);
    }
}
