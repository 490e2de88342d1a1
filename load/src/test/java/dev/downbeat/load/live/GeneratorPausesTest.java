package dev.downbeat.load.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service of 5 ms with one queue, and a generator that stands still: in virtual time. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GeneratorPausesTest {
    private static final long MS = 1_000_000;
    private static final long SERVICE_NANOS = 5 * MS;

    private record Seen(long intendedAt, long sentAt, long completedAt) {
        long responseNanos() {
            return completedAt - intendedAt;
        }
    }

    private record Span(long fromAt, long toAt) {
        long after(long at) {
            return at >= fromAt && at < toAt ? toAt : at;
        }
    }

    /** What is due within a stop leaves at its end, in any order; what is answered within it is read at its end. */
    private static List<Seen> seen(List<Span> stops, int perSecond, int servers, long seed) {
        List<long[]> sent = new ArrayList<>();
        for (long at = 0; at < 4_000 * MS; at += 1_000 * MS / perSecond) {
            sent.add(new long[] {at, after(stops, at)});
        }
        Collections.shuffle(sent, new Random(seed));
        sent.sort(Comparator.comparingLong(one -> one[1]));
        long[] freeAt = new long[servers];
        List<Seen> all = new ArrayList<>();
        for (long[] one : sent) {
            int first = 0;
            for (int i = 1; i < servers; i++) {
                first = freeAt[i] < freeAt[first] ? i : first;
            }
            freeAt[first] = Math.max(freeAt[first], one[1]) + SERVICE_NANOS;
            all.add(new Seen(one[0], one[1], after(stops, freeAt[first])));
        }
        all.sort(Comparator.comparingLong(Seen::completedAt));
        return all;
    }

    private static long after(List<Span> stops, long at) {
        return stops.stream().mapToLong(stop -> stop.after(at)).max().orElse(at);
    }

    /** The monitor wakes each millisecond, unless the process stands still. */
    private static List<Long> ours(List<Span> stops, List<Seen> seen) {
        GeneratorPauses watch = new GeneratorPauses(0);
        List<Long> ours = new ArrayList<>();
        long aliveAt = 0;
        for (Seen one : seen) {
            for (; aliveAt <= one.completedAt; aliveAt = after(stops, aliveAt + MS)) {
                watch.alive(aliveAt);
            }
            ours.add(watch.oursNanos(one.intendedAt, one.sentAt, one.completedAt));
        }
        return ours;
    }

    private static List<Span> stops(int count, long lengthNanos, long everyNanos) {
        List<Span> stops = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            stops.add(new Span(1_000 * MS + i * everyNanos, 1_000 * MS + i * everyNanos + lengthNanos));
        }
        return stops;
    }

    @ParameterizedTest(name = "{0} stops of {1} ms each {2} ms, {3}/s, {4} servers, seed {5}")
    @CsvSource({
        "1, 100, 1000, 100, 1, 1",
        "1, 100, 1000, 180, 1, 2",
        "1, 500, 1000, 150, 1, 3",
        "10, 50, 100, 100, 1, 4",
        "10, 50, 100, 300, 2, 5",
        "20, 20, 100, 1000, 16, 6",
        "3, 200, 400, 500, 4, 7"
    })
    void of_no_request_is_more_left_than_the_service_takes(
            int count, int stopMillis, int everyMillis, int perSecond, int servers, long seed) {
        List<Span> stops = stops(count, stopMillis * MS, everyMillis * MS);
        List<Seen> seen = seen(stops, perSecond, servers, seed);
        List<Long> ours = ours(stops, seen);
        long slowest = seen.stream().mapToLong(Seen::responseNanos).max().orElseThrow();
        assertThat(slowest).isGreaterThan(stopMillis * MS / 2);
        for (int i = 0; i < seen.size(); i++) {
            assertThat(seen.get(i).responseNanos() - ours.get(i))
                    .as("of the one due at %d ms", seen.get(i).intendedAt / MS)
                    .isLessThanOrEqualTo(SERVICE_NANOS);
        }
    }

    @Test
    void after_the_backlog_is_answered_nothing_is_attributed_to_Downbeat() {
        List<Span> stops = stops(1, 100 * MS, 1_000 * MS);
        List<Seen> seen = seen(stops, 100, 1, 8);
        List<Long> ours = ours(stops, seen);
        for (int i = 0; i < seen.size(); i++) {
            long dueAt = seen.get(i).intendedAt;
            if (dueAt < 990 * MS || dueAt > 1_350 * MS) {
                assertThat(ours.get(i))
                        .as("of the one due at %d ms", dueAt / MS)
                        .isZero();
            }
        }
    }

    @Test
    void a_service_stall_is_not_a_pause_of_Downbeat() {
        GeneratorPauses watch = new GeneratorPauses(0);
        for (long at = 0; at < 2_000 * MS; at += MS) {
            watch.alive(at);
        }
        assertThat(watch.oursNanos(1_000 * MS, 1_500 * MS, 1_990 * MS)).isZero();
    }
}
