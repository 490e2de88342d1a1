package dev.downbeat.gatling;

import dev.downbeat.loopback.LoopbackProcess;
import dev.downbeat.loopback.LoopbackStats;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What the service's own process has counted, and when: of a run, the one thing that comes neither from Gatling nor from
 * Downbeat. It sees a frozen generator as well as a frozen service: in both, the <i>n</i>th request that is due has waited
 * until the <i>n</i>th answer.
 */
final class Witness {
    private static final long LOOK_MILLIS = 2;

    private final LoopbackProcess server;
    private final List<Count> counts = new ArrayList<>();
    private long frozenAt;
    private long answeredBefore;

    /** Requests received and answered so far, and when that was seen: a reading of {@link System#nanoTime}. */
    private record Count(long seenAt, long received, long answered) {}

    Witness(LoopbackProcess server) {
        this.server = server;
    }

    /** Looks until so many requests were answered, the tool has ended, or an instant. */
    void lookUntilAnswered(long requests, Process tool, long untilAt) throws IOException, InterruptedException {
        while (look().answered() < requests && tool.isAlive() && System.nanoTime() - untilAt < 0) {
            Thread.sleep(LOOK_MILLIS);
        }
    }

    boolean sawRequests() {
        return counts.stream().anyMatch(count -> count.received() > 0);
    }

    /** Who was frozen at an instant goes on from now: nothing was answered in between. */
    void continueAfterBlock(long frozen) {
        frozenAt = frozen;
        Count last = counts.get(counts.size() - 1);
        answeredBefore = last.answered();
        counts.add(new Count(System.nanoTime(), last.received(), last.answered()));
    }

    private Count look() throws IOException {
        LoopbackStats stats = server.stats();
        Count count = new Count(System.nanoTime(), stats.requestsReceived(), stats.requestsAnswered());
        counts.add(count);
        return count;
    }

    /**
     * When the first request was due, if they are due at a constant rate: none comes before it is due, and the least late
     * tells. Asked after some requests and before the freeze, whose end is late for all.
     */
    long startAt(int rate) {
        return counts.stream()
                .filter(count -> count.received() > 0)
                .mapToLong(count -> count.seenAt() - (count.received() - 1) * 1_000_000_000L / rate)
                .min()
                .orElseThrow();
    }

    /** How long each request waited for its answer: at most, since it was seen then. */
    long[] longestWaits(long[] dueAt) {
        return waits(dueAt, 0);
    }

    /** At least: it was not there at the look before, or was answered between the last look and the freeze. */
    long[] leastWaits(long[] dueAt) {
        long[] waits = waits(dueAt, 1);
        for (int i = (int) answeredBefore; i < waits.length && dueAt[i] - frozenAt <= 0; i++) {
            waits[i] = 0;
        }
        return waits;
    }

    private long[] waits(long[] dueAt, int looksBefore) {
        long[] waits = new long[dueAt.length];
        int look = 0;
        for (int i = 0; i < dueAt.length; i++) {
            while (look < counts.size() - 1 && counts.get(look).answered() <= i) {
                look++;
            }
            waits[i] = Math.max(0, counts.get(Math.max(0, look - looksBefore)).seenAt() - dueAt[i]);
        }
        return waits;
    }
}
