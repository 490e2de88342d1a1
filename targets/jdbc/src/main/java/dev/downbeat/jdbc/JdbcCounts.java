package dev.downbeat.jdbc;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.TargetCounts;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the connections of one lane. Thread-safe. */
final class JdbcCounts {
    final LongAdder opened = new LongAdder();
    final LongAdder borrowed = new LongAdder();
    final LongAdder returnedBroken = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder closedByServer = new LongAdder();
    final LongAdder closedByUs = new LongAdder();
    final LongAdder rows = new LongAdder();
    final LongAdder rolledBack = new LongAdder();
    final LongAdder cancelled = new LongAdder();
    final LongAdder done = new LongAdder();
    final LongAdder doneLate = new LongAdder();
    final LongAdder failedLate = new LongAdder();
    final LongAdder unsent = new LongAdder();
    final LongAdder loginCpuNanos = new LongAdder();

    long open() {
        return opened.sum() - closedByServer.sum() - closedByUs.sum();
    }

    ConnectionCounts connections(long inUse) {
        long open = open();
        return new ConnectionCounts(
                opened.sum(),
                0,
                failed.sum(),
                0,
                closedByServer.sum(),
                closedByUs.sum(),
                Math.max(0, open),
                Math.max(0, Math.min(open, inUse)));
    }

    TargetCounts targetCounts() {
        Map<String, Long> counts = new TreeMap<>();
        counts.put("rows", rows.sum());
        counts.put("transactions done", done.sum());
        TargetCounts.putIfAny(counts, "connections borrowed from the pool", borrowed.sum());
        TargetCounts.putIfAny(counts, "transactions rolled back", rolledBack.sum());
        TargetCounts.putIfAny(counts, "statements cancelled", cancelled.sum());
        TargetCounts.putIfAny(counts, "done after their timeout", doneLate.sum());
        TargetCounts.putIfAny(counts, "failed after their timeout", failedLate.sum());
        TargetCounts.putIfAny(counts, "timed out before they were sent", unsent.sum());
        long cpuMicros = loginCpuNanos.sum() / 1000;
        if (cpuMicros > 0) {
            counts.put(TargetCounts.LOGINS, opened.sum());
            counts.put("CPU of logins in us", cpuMicros);
        }
        return new TargetCounts(counts);
    }
}
