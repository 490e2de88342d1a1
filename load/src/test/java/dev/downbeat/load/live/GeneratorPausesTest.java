package dev.downbeat.load.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
            ours.add(watch.ownDelayNanos(one.intendedAt, one.sentAt, one.completedAt));
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

    /** Alive each millisecond until it is paused from 100 ms to 200 ms. */
    private static GeneratorPauses pausedOnce() {
        GeneratorPauses watch = new GeneratorPauses(0);
        for (long at = MS; at <= 100 * MS; at += MS) {
            watch.alive(at);
        }
        watch.alive(200 * MS);
        return watch;
    }

    private static long oursMicros(GeneratorPauses watch, long intendedMicros, long sentMicros, long completedMicros) {
        return watch.ownDelayNanos(intendedMicros * 1_000, sentMicros * 1_000, completedMicros * 1_000) / 1_000;
    }

    @ParameterizedTest(name = "due at {0} us, sent at {1} us, answered at {2} us")
    @CsvSource({
        "90_000, 95_000, 203_000, 100_000", // lay unread
        "90_000, 95_000, 209_999, 100_000",
        "90_000, 95_000, 210_000, 0", // read when it came
        "90_000, 95_000, 199_999, 0",
        "150_000, 200_000, 201_000, 150_000", // late, and behind all the others
        "150_000, 170_000, 201_000, 150_000", // late for 20 ms, unread for 30 ms
        "2_100_000, 2_199_999, 2_300_000, 100_000", // behind the others for twenty times the pause
        "2_100_000, 2_200_000, 2_300_000, 0",
        "2_200_001, 2_200_001, 2_300_000, 0"
    })
    void a_pause_makes_late_leaves_unread_and_bunches(String due, String sent, String answered, String ours) {
        long[] micros = Stream.of(due, sent, answered, ours)
                .mapToLong(each -> Long.parseLong(each.replace("_", "")))
                .toArray();
        assertThat(oursMicros(pausedOnce(), micros[0], micros[1], micros[2])).isEqualTo(micros[3]);
    }

    @Test
    void of_a_request_that_is_open_at_least_as_much_is_ours_as_if_it_ended_whenever_it_was_sent() {
        GeneratorPauses watch = pausedOnce();
        for (long dueAt = 50 * MS; dueAt <= 2_300 * MS; dueAt += 10 * MS) {
            for (long seenAt = dueAt; seenAt <= 2_400 * MS; seenAt += 50 * MS) {
                long mostNanos = 0;
                for (long sentAt = dueAt; sentAt <= seenAt; sentAt += 10 * MS) {
                    mostNanos = Math.max(mostNanos, watch.ownDelayNanos(dueAt, sentAt, seenAt));
                }
                assertThat(watch.ownDelayNanosSoFar(dueAt, seenAt))
                        .as("due at %d ms, seen at %d ms", dueAt / MS, seenAt / MS)
                        .isGreaterThanOrEqualTo(mostNanos);
            }
        }
        assertThat(watch.ownDelayNanosSoFar(90 * MS, 300 * MS)).isEqualTo(200 * MS);
        assertThat(watch.ownDelayNanosSoFar(50 * MS, 99 * MS)).as("before it").isZero();
        assertThat(watch.ownDelayNanosSoFar(2_200 * MS, 2_300 * MS))
                .as("after its queue")
                .isZero();
    }

    @Test
    void a_short_pause_in_the_wake_of_a_long_one_prolongs_it() {
        GeneratorPauses watch = pausedOnce();
        watch.alive(205 * MS);
        watch.alive(235 * MS); // until 235 + 20 x 100 ms
        assertThat(oursMicros(watch, 2_234_000, 2_234_000, 2_240_000)).isEqualTo(100_000);
        assertThat(oursMicros(watch, 2_234_000, 2_235_000, 2_240_000)).isZero();
    }

    @ParameterizedTest(name = "clock starts at {0}")
    @ValueSource(longs = {0, Long.MAX_VALUE - 12 * MS})
    void ten_milliseconds_without_a_sign_of_life_are_a_pause(long start) {
        GeneratorPauses watch = new GeneratorPauses(start);
        assertThat(watch.mayHaveStopped(start + 10 * MS - 1)).isFalse();
        assertThat(watch.mayHaveStopped(start + 10 * MS)).isTrue();
        watch.alive(start + 10 * MS - 1);
        assertThat(watch.ownDelayNanos(start, start + 10 * MS - 10, start + 10 * MS - 5))
                .isZero();
        watch.alive(start + 20 * MS - 1);
        assertThat(watch.ownDelayNanos(start + 10 * MS, start + 20 * MS, start + 20 * MS))
                .isEqualTo(20 * MS - 1);
        watch.alive(start + 15 * MS); // late itself
        assertThat(watch.mayHaveStopped(start + 30 * MS - 2)).isFalse();
    }

    /** Prompt is an eighth longer than usual, and usual is a mean that one response moves by a 64th. */
    @ParameterizedTest(name = "{0} of {1} ns, {2} slow ones after seven")
    @CsvSource({"8, 8100, 0, true", "7, 8100, 0, false", "8, 8101, 0, false", "8, 8100, 1, false", "9, 8100, 1, true"})
    void a_bunch_has_cleared_when_the_service_is_prompt_again(int count, long nanos, int slow, boolean isOver) {
        GeneratorPauses watch = new GeneratorPauses(0);
        assertThat(watch.ownDelayNanos(0, 0, 6_400)).isZero();
        assertThat(watch.ownDelayNanos(0, 0, 6_400 + 64 * 800)).isZero(); // 7,200 ns from now on
        watch.alive(20 * MS);
        for (int i = 0; i < count; i++) {
            for (int j = 0; i == 7 && j < slow; j++) {
                assertThat(watch.ownDelayNanos(21 * MS, 21 * MS, 22 * MS)).isEqualTo(20 * MS);
            }
            assertThat(watch.ownDelayNanos(21 * MS, 21 * MS, 21 * MS + nanos)).isEqualTo(20 * MS);
        }
        assertThat(watch.ownDelayNanos(22 * MS, 22 * MS, 23 * MS)).isEqualTo(isOver ? 0 : 20 * MS);
    }

    @Test
    void requests_that_were_due_within_the_pause_do_not_show_that_the_bunch_has_cleared() {
        GeneratorPauses watch = new GeneratorPauses(0);
        assertThat(watch.ownDelayNanos(0, 0, 6_400)).isZero();
        watch.alive(20 * MS);
        for (int i = 0; i < 20; i++) {
            assertThat(watch.ownDelayNanos(20 * MS, 21 * MS, 21 * MS + 1)).isEqualTo(20 * MS);
        }
        assertThat(watch.ownDelayNanos(22 * MS, 22 * MS, 23 * MS)).isEqualTo(20 * MS);
    }

    @Test
    void a_service_stall_is_not_a_pause_of_Downbeat() {
        GeneratorPauses watch = new GeneratorPauses(0);
        for (long at = 0; at < 2_000 * MS; at += MS) {
            watch.alive(at);
        }
        assertThat(watch.ownDelayNanos(1_000 * MS, 1_500 * MS, 1_990 * MS)).isZero();
    }
}
