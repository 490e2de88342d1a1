package dev.downbeat.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.recorder.CorrectedRecorder;
import dev.downbeat.testing.Replications;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttributionTest {

    private static Exchange random(SplittableRandom random, long index) {
        Exchange exchange = new Exchange(0);
        long scale = 1L << random.nextInt(1, 36);
        long intendedAt = Long.MAX_VALUE - random.nextLong(scale);
        long dispatchedAt = intendedAt + random.nextLong(scale);
        exchange.begin(intendedAt, dispatchedAt, dispatchedAt + random.nextLong(scale));
        exchange.lookupNanos = random.nextLong(scale);
        exchange.connectNanos = random.nextLong(scale);
        exchange.handshakeNanos = random.nextLong(scale);
        exchange.firstByteAt = exchange.startedAt
                + exchange.lookupNanos
                + exchange.connectNanos
                + exchange.handshakeNanos
                + random.nextLong(scale);
        exchange.completedAt = exchange.firstByteAt + random.nextLong(scale);
        exchange.index = index;
        exchange.outcome = Outcome.answered();
        return exchange;
    }

    static LongStream seeds() {
        return LongStream.range(0, Replications.of(50, 10));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_parts_of_a_request_add_up_to_its_response_time(long seed) {
        Exchange exchange = random(new SplittableRandom(seed), 0);
        long sum = 0;
        for (Part part : Part.values()) {
            assertThat(part.nanosOf(exchange)).isNotNegative();
            sum += part.nanosOf(exchange);
        }
        assertThat(sum).isEqualTo(exchange.responseNanos());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_means_of_the_parts_add_up_to_the_mean_response_time_however_it_is_split(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CorrectedRecorder recorder = new CorrectedRecorder();
        List<Exchange> all = new ArrayList<>();
        Recording sum = Recording.empty();
        for (int i = 0; i < 2_000; i++) {
            Exchange exchange = random(random, i);
            all.add(exchange);
            recorder.completed(exchange);
            if (random.nextInt(200) == 0) {
                sum = sum.plus(recorder.drain());
            }
        }
        Attribution attribution = sum.plus(recorder.drain()).anatomy().attribution();

        double mean = all.stream().mapToLong(Exchange::responseNanos).average().orElseThrow();
        Map<Part, Long> means = attribution.meansNanos(0, Long.MAX_VALUE);
        double ofMeans = means.values().stream().mapToLong(Long::longValue).sum();
        assertThat(attribution.count(0, Long.MAX_VALUE)).isEqualTo(2_000);
        assertThat(ofMeans).isCloseTo(mean, org.assertj.core.data.Offset.offset(10.0));
        double lateness =
                all.stream().mapToLong(Exchange::latenessNanos).average().orElseThrow();
        assertThat(means).containsEntry(Part.LATENESS, Math.round(lateness));
    }

    @Test
    void slow_and_quick_ones_are_distinguished() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        for (int i = 0; i < 100; i++) {
            Exchange exchange = new Exchange(0);
            boolean slow = i >= 98;
            exchange.begin(0, 0, slow ? 900_000_000 : 0);
            exchange.firstByteAt = exchange.startedAt + 1_000_000;
            exchange.completedAt = exchange.firstByteAt;
            recorder.completed(exchange);
        }
        Attribution attribution = recorder.drain().anatomy().attribution();

        assertThat(attribution.count(500_000_000, Long.MAX_VALUE)).isEqualTo(2);
        assertThat(attribution.meansNanos(500_000_000, Long.MAX_VALUE))
                .containsEntry(Part.BACKLOG_WAIT, 900_000_000L)
                .containsEntry(Part.FIRST_BYTE, 1_000_000L);
        assertThat(attribution.meansNanos(0, 500_000_000)).containsEntry(Part.BACKLOG_WAIT, 0L);
    }

    @Test
    void the_slowest_requests_are_kept_in_full() {
        CorrectedRecorder recorder = new CorrectedRecorder();
        recorder.startsAt(1_000);
        for (int i = 0; i < 1_000; i++) {
            Exchange exchange = new Exchange(0);
            exchange.begin(1_000 + i, 1_000 + i, 1_000 + i);
            exchange.completedAt = exchange.startedAt + 1_000 + i;
            exchange.firstByteAt = exchange.completedAt;
            exchange.index = i;
            recorder.completed(exchange);
        }
        List<Exemplar> exemplars = recorder.drain().anatomy().exemplars();

        Exemplar slowest = exemplars.get(0);
        assertThat(slowest.index()).isEqualTo(999);
        assertThat(slowest.intendedNanos()).isEqualTo(999);
        assertThat(slowest.responseNanos()).isEqualTo(1_999);
        assertThat(slowest.partsNanos()).containsEntry(Part.FIRST_BYTE, 1_999L);
        assertThat(exemplars).hasSize(4); // two each of 1,000 to 1,023 ns and of 1,024 to 1,999 ns
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void of_each_doubling_the_two_slowest_of_an_interval_are_kept_in_whatever_order_they_come(long seed) {
        List<Long> nanos = new ArrayList<>(LongStream.range(1, 256).boxed().toList());
        Collections.shuffle(nanos, new Random(seed));
        CorrectedRecorder recorder = new CorrectedRecorder();
        for (int interval = 0; interval < 2; interval++) { // nothing is left of the one before
            for (long responseNanos : nanos) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.completedAt = responseNanos;
                recorder.completed(exchange);
            }
            assertThat(recorder.drain().anatomy().exemplars())
                    .extracting(Exemplar::responseNanos)
                    .containsExactly(255L, 254L, 127L, 126L, 63L, 62L, 31L, 30L, 15L, 14L, 7L, 6L, 3L, 2L, 1L);
        }
    }
}
