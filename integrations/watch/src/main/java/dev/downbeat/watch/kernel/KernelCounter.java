package dev.downbeat.watch.kernel;

import dev.downbeat.watch.sample.HighSpells;
import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.why.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Detects when a kernel counter grew fast. */
final class KernelCounter implements Sampler {
    interface Reading {
        /** The current value; -1 if absent. */
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
     * Creates a sampler.
     *
     * @param spells detects a high growth per second
     * @param beforeNanos how long before its growth the counted activity began
     * @param afterNanos how long after its growth the counted activity has effect
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
