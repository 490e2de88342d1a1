package dev.downbeat.watch.kernel;

import dev.downbeat.watch.sample.HighSpells;
import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.why.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A number of the kernel that only grows: when it grew fast. */
final class KernelCounter implements Sampler {
    interface Reading {
        /** The number now; -1 if it is not there. */
        long now(KernelFile file) throws IOException;
    }

    private final KernelFile file;
    private final Reading reading;
    private final HighSpells spells;
    private final long beforeNanos;
    private final long afterNanos;
    private long lastAt;
    private long last = -1;

    /**
     * A counter.
     *
     * @param spells when its growth in a second is high
     * @param beforeNanos how long before its growth that which it counts had begun
     * @param afterNanos how long after its growth that which it counts is felt
     */
    KernelCounter(KernelFile file, Reading reading, HighSpells spells, long beforeNanos, long afterNanos) {
        this.file = file;
        this.reading = reading;
        this.spells = spells;
        this.beforeNanos = beforeNanos;
        this.afterNanos = afterNanos;
    }

    @Override
    public void sample(long now) throws IOException {
        long value = reading.now(file);
        if (value >= 0 && last >= 0 && value >= last) {
            spells.add(lastAt, now, (value - last) * 1e9 / Math.max(1, now - lastAt));
        }
        lastAt = now;
        last = value;
    }

    @Override
    public List<Event> events() {
        List<Event> events = new ArrayList<>();
        for (Event event : spells.events()) {
            events.add(new Event(
                    event.kind(),
                    event.startNanos() - beforeNanos,
                    event.lengthNanos() + beforeNanos + afterNanos,
                    event.detail()));
        }
        return events;
    }

    @Override
    public void close() {
        file.close();
    }
}
