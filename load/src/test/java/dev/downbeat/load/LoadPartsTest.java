package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Call;
import dev.downbeat.exchange.CallClient;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.record.Distribution;
import dev.downbeat.run.Script;
import dev.downbeat.run.Workload;
import dev.downbeat.time.ManualClock;
import dev.downbeat.verdict.RequiredCertainty;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What a load consists of, without running one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoadPartsTest {
    private static LoadSettings settings(boolean isRandom, int users, List<String> arguments) {
        return new LoadSettings(new LoadSettings.Shape() {
            @Override
            public Workload workload(long seed, Optional<Script> script) {
                return new Workload.Open(new Constant(Rate.perSecond(5)));
            }

            @Override
            public List<String> arguments(Duration length) {
                return arguments;
            }

            @Override
            public boolean isRandom() {
                return isRandom;
            }

            @Override
            public int users() {
                return users;
            }
        });
    }

    @Test
    void without_a_duration_a_load_lasts_until_ten_seconds_of_its_endless_end() {
        Arrivals ramp = Arrivals.ramp(0, 500, Duration.ofMinutes(1));
        assertThat(Load.perSecond(500).toString()).endsWith(" for 10s");
        assertThat(Load.open(ramp.then(Arrivals.perSecond(500))).toString()).endsWith(" for 70s");
        assertThat(Load.open(ramp).toString()).endsWith(" for 60s");
        assertThat(Load.closed(4).toString()).endsWith(" for 10s");
    }

    @Test
    @SuppressWarnings("NullAway")
    void a_null_is_named() {
        assertThatThrownBy(() -> Load.perSecond(5).duration(null)).hasMessage("duration");
        assertThatThrownBy(() -> Load.perSecond(5).warmUp(null)).hasMessage("warmUp");
        Measured nothing = Load.perSecond(500).duration(Duration.ofMillis(20)).runAsync(beat -> null);
        assertThat(nothing.failures()).containsOnlyKeys("the code returned no stage");
    }

    @Test
    void a_command_repeats_what_was_set_and_nothing_else() {
        LoadSettings load = settings(true, 0, List.of("--rate=5/s"));
        List<String> service = List.of("http://h/");
        assertThat(load.command(service))
                .containsExactly("downbeat", "run", "http://h/", "--rate=5/s", "--seed=2a", "--timeout=30s");
        load.warmUp = Duration.ofSeconds(2);
        load.objectives = Objective.slos("p99<50ms");
        load.rigour = new RequiredCertainty(true, false);
        assertThat(load.command(service)).endsWith("--timeout=30s", "--warm-up=2s", "--slo=p99<50ms", "--sure");
        load.warmsUpUntilSteady = true;
        load.rigour = new RequiredCertainty(false, true);
        assertThat(load.command(service)).endsWith("--timeout=30s", "--warm-up=auto", "--slo=p99<50ms", "--strict");
        load.warmUp = Duration.ZERO;
        assertThat(load.command(service)).contains("--warm-up=auto");
        assertThat(settings(false, 0, List.of("--rate=5/s")).command(service))
                .noneMatch(word -> word.startsWith("--seed"));
        assertThat(load.command(List.of())).as("of code").isEmpty();
        assertThat(settings(true, 0, List.of()).command(service))
                .as("of arrivals without options")
                .isEmpty();
    }

    @Test
    void as_many_requests_are_in_flight_as_was_set_or_as_there_are_users() {
        LoadSettings load = settings(true, 300, List.of());
        assertThat(load.inFlight(256)).isEqualTo(300);
        assertThat(load.inFlight(301)).isEqualTo(301);
        load.inFlight = OptionalInt.of(7);
        assertThat(load.inFlight(256)).isEqualTo(7);
    }

    @Test
    void requests_in_flight_are_shared_out_among_generators() {
        CodeTarget code =
                CodeTarget.async("code", 5, beat -> CompletableFuture.completedFuture(""), new ExceptionCounts());
        assertThat(LongStream.range(0, 3)
                        .mapToInt(share -> code.open((int) share, 3, new ManualClock(0), exchange -> {})
                                .capacity()))
                .containsExactly(2, 2, 1);
        assertThat(code.describe()).isEqualTo("code");
    }

    private static Call call() {
        return Call.alone(new ManualClock(0), new Exchange(0), ended -> {});
    }

    @Test
    void the_interrupt_of_a_call_that_Downbeat_ended_is_no_failure_of_the_code() throws Exception {
        ExceptionCounts counts = new ExceptionCounts();
        BlockingQueue<Thread> entered = new LinkedBlockingQueue<>();
        CallClient client = CodeTarget.blocking(
                        "code",
                        1,
                        beat -> {
                            entered.add(Thread.currentThread());
                            new CountDownLatch(1).await();
                        },
                        counts)
                .client()
                .apply(1);
        Call call = call();
        client.start(call);
        Thread worker = entered.take();
        call.abandon();
        client.close();
        worker.join();
        assertThat(counts.first()).isEmpty();
    }

    @Test
    void the_cancellation_of_a_stage_that_Downbeat_ended_is_no_failure_of_the_code() {
        ExceptionCounts counts = new ExceptionCounts();
        CompletableFuture<String> stage = new CompletableFuture<>();
        CallClient client =
                CodeTarget.async("code", 1, beat -> stage, counts).client().apply(1);
        Call given = call();
        client.start(given);
        given.abandon();
        stage.completeExceptionally(new CancellationException());
        assertThat(counts.first()).isEmpty();
        Call failed = call();
        client.start(failed);
        assertThat(failed.isOver()).isTrue();
        assertThat(counts.first()).containsInstanceOf(CancellationException.class);
    }

    @Test
    void a_failure_is_named_by_the_exception_within_those_of_the_JDK() {
        ExceptionCounts counts = new ExceptionCounts();
        IOException first = new IOException("first");
        assertThat(counts.of(new ExecutionException(new CompletionException(first)))
                        .reason())
                .isEqualTo("IOException");
        assertThat(counts.of(new IOException("second"))).isSameAs(counts.of(first));
        assertThat(counts.of(new CompletionException("none", null)).reason()).isEqualTo("CompletionException");
        @SuppressWarnings("serial")
        Exception unnamed = new IOException() {};
        assertThat(counts.of(unnamed).reason()).isEqualTo(unnamed.getClass().getName());
        IllegalStateException later = new IllegalStateException(new IOException("is no wrapper"));
        assertThat(counts.of(later).reason()).isEqualTo("IllegalStateException");
        assertThat(counts.first(Set.of("IllegalStateException", "IOException"))).containsSame(first);
        assertThat(counts.first(Set.of("IllegalStateException"))).containsSame(later);
        assertThat(counts.first(Set.of())).isEmpty();
    }

    @Test
    void a_file_is_refused_with_the_reason() {
        Path file = Path.of("a.json");
        assertThat(LoadException.of(file, "written", new NoSuchFileException("a.json")))
                .hasMessage("a.json cannot be written: no such file");
        assertThat(LoadException.of(file, "read", new AccessDeniedException("a.json")))
                .hasMessage("a.json cannot be read: no permission");
        IOException full = new IOException("no space left");
        assertThat(LoadException.of(file, "written", full))
                .hasMessage("a.json cannot be written: no space left")
                .hasCause(full);
    }

    @Test
    void times_know_a_percentile_if_five_are_expected_beyond_it() {
        Times times = new Times(Distribution.of(LongStream.rangeClosed(1, 499)));
        assertThat(times.p(99)).isEmpty();
        Times more = times.plus(new Times(Distribution.of(LongStream.of(500))));
        assertThat(more.p(99)).contains(Duration.ofNanos(495));
        assertThat(more.p(0)).contains(Duration.ofNanos(1));
        assertThat(more.min()).isEqualTo(Duration.ofNanos(1));
        assertThat(more.max()).isEqualTo(Duration.ofNanos(500));
        assertThat(more.mean()).isBetween(Duration.ofNanos(250), Duration.ofNanos(251));
        assertThatThrownBy(() -> times.p(100.1)).hasMessage("percentile must be from 0 to 100, but was 100.1");
        assertThatThrownBy(() -> times.p(-0.1)).hasMessage("percentile must be from 0 to 100, but was -0.1");
        assertThatThrownBy(() -> times.p(Double.NaN)).hasMessageEndingWith("but was NaN");
    }

    @Test
    void each_distinct_time_is_passed_on_with_its_count() {
        Map<Duration, Long> passed = new LinkedHashMap<>();
        new Times(Distribution.of(LongStream.of(9, 4, 9))).forEach(passed::put);
        assertThat(passed).containsExactly(Map.entry(Duration.ofNanos(4), 1L), Map.entry(Duration.ofNanos(9), 2L));
    }

    @Test
    void of_no_requests_there_are_no_times() {
        Times none = new Times(Distribution.empty());
        assertThat(none).hasToString("no requests");
        assertThat(none.count()).isZero();
        assertThat(none.isEmpty()).isTrue();
        assertThat(new Times(Distribution.of(LongStream.of(1))).isEmpty()).isFalse();
        assertThat(none.p(50)).isEmpty();
        assertThatThrownBy(none::min).isInstanceOf(LoadException.class);
        assertThatThrownBy(none::max).isInstanceOf(LoadException.class);
    }
}
