package dev.downbeat.sqs.client;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.time.NanoClock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One client's connection counts and number of attempts. Thread-safe. */
public final class ConnectionLog {
    private final NanoClock clock;
    private final LongAdder attempts = new LongAdder();
    private final LongAdder opened = new LongAdder();
    private final LongAdder resumed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder withNotice = new LongAdder();
    private final LongAdder withoutNotice = new LongAdder();
    private final AtomicLong open = new AtomicLong();
    private final AtomicLong inUse = new AtomicLong();
    private volatile @Nullable Supplier<ConnectionCounts> clientCounts;

    public ConnectionLog(NanoClock clock) {
        this.clock = clock;
    }

    public long now() {
        return clock.nanoTime();
    }

    void attempt() {
        attempts.increment();
    }

    public long attempts() {
        return attempts.sum();
    }

    void opened(boolean continued) {
        opened.increment();
        if (continued) {
            resumed.increment();
        }
    }

    void failedToOpen() {
        failed.increment();
    }

    void closeAnnounced() {
        withNotice.increment();
    }

    void closedWithoutNotice() {
        withoutNotice.increment();
    }

    /** Sets the number of connections, if the client reports it. */
    void gauges(long nowOpen, long nowInUse) {
        open.set(nowOpen);
        inUse.set(nowInUse);
    }

    /** The client does its own counting. */
    void countedBy(Supplier<ConnectionCounts> clientCounts) {
        this.clientCounts = clientCounts;
    }

    public ConnectionCounts counts() {
        Supplier<ConnectionCounts> kept = clientCounts;
        if (kept != null) {
            return kept.get();
        }
        return new ConnectionCounts(
                opened.sum(),
                resumed.sum(),
                failed.sum(),
                withNotice.sum(),
                withoutNotice.sum(),
                0,
                open.get(),
                inUse.get());
    }
}
