package dev.downbeat.record.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SharedRecorderTest {
    private final SharedRecorder recorder = new SharedRecorder();

    @Test
    void each_request_is_in_exactly_one_drain() {
        recorder.answered(100, 60, 0);
        recorder.answered(-5, 3, 0);
        recorder.failed(40, "reset");
        recorder.failed(50, "reset");
        recorder.unfinished(700, 0);
        recorder.waited(9);
        Recording first = recorder.drain();
        assertThat(first.ledger()).isEqualTo(new Ledger(5, 2, 2, 0, 0, 1, 0));
        assertThat(first.response().maxNanos()).isEqualTo(100);
        assertThat(first.response().minNanos()).isZero();
        assertThat(first.service().maxNanos()).isEqualTo(60);
        assertThat(first.times().failed().count()).isEqualTo(2);
        assertThat(first.times().censored().count()).isEqualTo(1);
        assertThat(first.waits().backlogWait().count()).isEqualTo(1);
        assertThat(first.tallies().failures()).containsOnlyKeys("reset").containsEntry("reset", 2L);

        recorder.failed(40, "refused");
        Recording second = recorder.drain();
        assertThat(second.ledger()).isEqualTo(new Ledger(1, 0, 1, 0, 0, 0, 0));
        assertThat(second.tallies().failures()).containsOnlyKeys("refused");
        assertThat(recorder.drain().ledger()).isEqualTo(Ledger.EMPTY);
    }

    @Test
    void durations_beyond_the_range_count_as_the_longest() {
        recorder.answered(Long.MAX_VALUE, Distribution.MAX_NANOS, 0);
        Recording drained = recorder.drain();
        assertThat(drained.response()).isEqualTo(drained.service());
    }

    @Test
    void arrivals_of_all_threads_are_counted_and_no_drain_forgets_them() throws InterruptedException {
        Thread[] threads = new Thread[20];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                recorder.arrived();
                recorder.answered(10, 10, 0);
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(recorder.drain().ledger().answered()).isEqualTo(20);
        assertThat(recorder.arrivals()).isEqualTo(20);
    }

    @Test
    void reasons_without_end_fill_no_memory() {
        for (int i = 0; i < SharedRecorder.MOST_REASONS + 5; i++) {
            recorder.failed(1, "order " + i);
        }
        recorder.failed(1, "order 7");
        Recording drained = recorder.drain();
        assertThat(drained.tallies().failures())
                .hasSize(SharedRecorder.MOST_REASONS + 1)
                .containsEntry(SharedRecorder.OTHER, 5L)
                .containsEntry("order 7", 2L);

        SharedRecorder another = new SharedRecorder();
        another.failed(1, "x".repeat(200));
        another.failed(1, "y".repeat(201));
        assertThat(another.drain().tallies().failures()).containsOnlyKeys("x".repeat(200), "y".repeat(200) + "...");
    }

    @Test
    void names_and_reasons_have_no_secrets_and_no_lines_of_their_own() {
        NamedCounts names = new NamedCounts(false);
        for (String secret : List.of("one", "two")) {
            String reason = "https://user:" + secret + "@host refused\n\u001b[31mat once";
            recorder.failed(40, reason);
            names.failed("/orders\r?key=" + secret, 40, reason);
            String reasonBeyondTheCut = "x ".repeat(95) + "https://user:" + secret + "!".repeat(20) + "@host";
            recorder.failed(40, reasonBeyondTheCut);
            names.failed("/orders\r?key=" + secret, 40, reasonBeyondTheCut);
        }
        String shown = "https://***@host refused  [31mat once";
        String cut = "x ".repeat(95) + "https://**...";
        assertThat(recorder.drain().tallies().failures()).isEqualTo(Map.of(shown, 2L, cut, 2L));
        assertThat(names.drain())
                .containsOnlyKeys("/orders ?key=***")
                .allSatisfy((name, counted) ->
                        assertThat(counted.tallies().failures()).isEqualTo(Map.of(shown, 2L, cut, 2L)));
    }

    @Test
    void reasons_of_names_without_end_fill_no_memory() {
        NamedCounts names = new NamedCounts(false);
        int all = 0;
        for (int drains = 0; drains < 3; drains++) {
            for (int i = 0; i < SharedRecorder.MOST_REASONS; i++) {
                names.failed("/orders", 40, "order " + all++);
            }
            names.drain();
        }
        names.failed("/orders", 40, "order " + all);
        assertThat(names.drain().get("/orders").failures()).containsOnlyKeys(SharedRecorder.OTHER);
    }

    @Test
    void forgotten_reasons_make_room_for_new_ones() {
        NamedCounts names = new NamedCounts(false);
        for (int i = 0; i < SharedRecorder.MOST_REASONS + 5; i++) {
            recorder.failed(1, "order " + i);
            names.failed("/orders", 1, "order " + i);
        }
        recorder.drain();
        names.drain();
        recorder.failed(1, "order 7");
        recorder.forgetReasons();
        names.forgetReasons();
        for (int i = 0; i < SharedRecorder.MOST_REASONS - 1; i++) {
            recorder.failed(1, "status " + i);
            names.failed("/orders", 1, "status " + i);
        }
        assertThat(recorder.drain().tallies().failures())
                .hasSize(SharedRecorder.MOST_REASONS)
                .containsKeys("order 7", "status 0")
                .doesNotContainKey(SharedRecorder.OTHER);
        assertThat(names.drain().get("/orders").failures())
                .hasSize(SharedRecorder.MOST_REASONS - 1)
                .doesNotContainKey(SharedRecorder.OTHER);
    }

    @Test
    void no_failure_is_lost_while_its_reason_is_forgotten() throws InterruptedException {
        int each = 50_000;
        Thread[] threads = new Thread[3];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int request = 0; request < each; request++) {
                    recorder.failed(1, request % 2 == 0 ? "refused" : "reset");
                }
            });
            threads[i].start();
        }
        long counted = 0;
        for (boolean isOver = false; !isOver; ) {
            isOver = Stream.of(threads).noneMatch(Thread::isAlive);
            counted += failures(recorder.drain());
            recorder.forgetReasons();
        }
        assertThat(counted).isEqualTo((long) threads.length * each);
    }

    private static long failures(Recording drained) {
        return drained.tallies().failures().values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Test
    void the_lower_bound_excludes_possible_generator_delay() {
        SharedRecorder own = SharedRecorder.ofGenerator();
        own.answered(100_000_000, 20_000_000, 90_000_000);
        own.answered(10_000_000, 10_000_000, 15_000_000);
        own.unfinished(50_000_000, 40_000_000);
        Recording drained = own.drain();
        assertThat(drained.responseAtLeast().maxNanos()).isGreaterThanOrEqualTo(100_000_000);
        assertThat(drained.responseWithoutOwnDelay().count()).isEqualTo(3);
        assertThat(drained.responseWithoutOwnDelay().maxNanos()).isBetween(9_900_000L, 10_100_000L);
        recorder.answered(100_000_000, 20_000_000, 90_000_000);
        assertThat(recorder.drain().responseWithoutOwnDelay().maxNanos()).isGreaterThanOrEqualTo(100_000_000);
    }
}
