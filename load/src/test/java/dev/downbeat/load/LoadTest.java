package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.CallLane;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.time.NanoClock;
import dev.downbeat.verdict.RequiredCertainty;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the guide promises of measuring one's own code. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
@Timeout(60)
class LoadTest {
    private static Load everyTenMillis(int requests) {
        return Load.open(Arrivals.perSecond(100).evenly())
                .duration(Duration.ofMillis(10L * requests))
                .timeout(Duration.ofSeconds(5));
    }

    @Test
    void each_request_is_called_once_with_its_own_beat() {
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        Measured measured = everyTenMillis(50).named("orders").run(beat -> {
            seen.add(beat.index());
        });
        assertThat(seen).hasSize(50).contains(0L, 49L);
        assertThat(measured.answered()).isEqualTo(50);
        assertThat(ReportAccess.of(measured).result().ledger().addsUp()).isTrue();
        assertThat(measured.sentence()).startsWith("orders: errors < 1 % met: ").contains("over 50 requests");
        assertThat(measured.judgedBy("p99.9<10s").sentence())
                .startsWith("orders: p99.9 < 10 s undecided: p99.9 needs 5,000 requests, got 50; errors < 1 % met: ")
                .contains("over 50 requests");
        assertThat(measured.judgedBy("p50<10s", "p99.9<10s").sentence())
                .as("what was not met comes first")
                .startsWith("orders: p99.9 < 10 s undecided");
        assertThat(measured.response()).asString().startsWith("50 requests, p50 ");
    }

    @Test
    void beats_of_a_warm_up_have_indexes_of_their_own() {
        Set<Long> ofRun = ConcurrentHashMap.newKeySet();
        Set<Long> ofWarmUp = ConcurrentHashMap.newKeySet();
        everyTenMillis(5).warmUp(Duration.ofMillis(50)).run(beat -> {
            (beat.isWarmUp() ? ofWarmUp : ofRun).add(beat.index());
        });
        assertThat(ofRun).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L);
        assertThat(ofWarmUp).hasSize(5).doesNotContainAnyElementsOf(ofRun);
    }

    @Test
    void code_that_only_starts_its_work_is_doubted() {
        Measured started = everyTenMillis(100)
                .run(
                        beat -> { // of which ten must be followed by a moment's rest
                            CompletableFuture.runAsync(() -> LockSupport.parkNanos(50_000_000));
                        });
        assertThat(started.doubts())
                .anySatisfy(doubt -> assertThat(doubt).contains("monitored calls returned before their work was done"));
        Measured waited = everyTenMillis(40).run(beat -> {
            Thread.sleep(1);
        });
        assertThat(waited.doubts()).noneSatisfy(doubt -> assertThat(doubt).contains("monitored calls"));
    }

    /** OkHttp's pool waits inside a task for its next one, and the reaper of the AWS SDK sleeps in one. */
    @ParameterizedTest(name = "it sleeps: {0}")
    @ValueSource(booleans = {true, false})
    void a_blocking_client_whose_pool_always_runs_a_task_is_no_doubt(boolean sleeps) {
        ExecutorService client = Executors.newCachedThreadPool();
        CountDownLatch end = new CountDownLatch(1);
        try {
            Measured answered = everyTenMillis(40).run(beat -> {
                if (beat.index() == 0) {
                    client.submit(() -> {
                        while (sleeps) {
                            Thread.sleep(3);
                        }
                        return end.await(1, TimeUnit.MINUTES);
                    });
                }
                Thread.sleep(1);
            });
            assertThat(answered.doubts()).noneSatisfy(doubt -> assertThat(doubt).contains("monitored calls"));
            assertThat(ReportAccess.of(answered).verdict().caveats())
                    .anySatisfy(caveat -> assertThat(caveat.text()).contains("monitored calls may have returned"));
        } finally {
            client.shutdownNow();
        }
    }

    @Test
    void a_property_of_somebody_else_stops_no_run() {
        System.setProperty("downbeat.host", "localhost");
        try {
            assertThat(everyTenMillis(2).run(beat -> {}).answered()).isEqualTo(2);
        } finally {
            System.clearProperty("downbeat.host");
        }
    }

    @Test
    void how_much_is_asked_of_a_verdict_is_asked_of_the_load_and_holds_for_other_objectives_too() {
        Load load = everyTenMillis(5);
        Measured asked = load.sure().strict().run(beat -> {});
        assertThat(ReportAccess.of(asked.judgedBy("p50<1s")).verdict().rigour())
                .isEqualTo(ReportAccess.of(asked).verdict().rigour())
                .isEqualTo(new RequiredCertainty(true, true));
        assertThat(ReportAccess.of(load.run(beat -> {})).verdict().rigour()).isEqualTo(RequiredCertainty.PLAIN);
    }

    @Test
    void a_lock_that_all_calls_wait_for_is_seen_by_all_that_wait() {
        CountDownLatch opened = new CountDownLatch(1);
        Measured measured = everyTenMillis(60).inFlight(20).run(beat -> opened.await(300, TimeUnit.MILLISECONDS));
        assertThat(measured.answered()).isEqualTo(60);
        // No. 20, due at 200 ms, begins when no. 0 ends, at 300 ms or later, and waits for the lock itself.
        assertThat(measured.max()).isGreaterThanOrEqualTo(Duration.ofMillis(395));
        assertThat(ReportAccess.of(measured).result().lanes().peakBacklog()).isPositive();
    }

    @Test
    void exceptions_are_failures_by_class_and_the_first_is_kept() {
        Measured measured = everyTenMillis(20).run(beat -> {
            if (beat.index() % 2 == 1) {
                throw new IOException("no. " + beat.index());
            }
        });
        assertThat(measured.failed()).isEqualTo(10);
        assertThat(measured.failures()).containsExactly(Map.entry("IOException", 10L));
        assertThat(measured.errorShare()).isEqualTo(0.5);
        assertThat(measured.firstFailure()).get().isInstanceOf(IOException.class);
        assertThatThrownBy(measured::throwUnlessMet)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("errors < 1 % MISSED: measured 50 % (10 of 20), mostly IOException")
                .hasCauseInstanceOf(IOException.class);
    }

    @Test
    void a_failure_of_the_warm_up_is_no_cause_of_what_the_run_shows() {
        AtomicInteger calls = new AtomicInteger();
        Measured measured = everyTenMillis(20).warmUp(Duration.ofMillis(500)).run(beat -> {
            if (calls.incrementAndGet() <= 2) {
                throw new IOException("not warm yet");
            }
        });
        assertThat(measured.failed()).isZero();
        assertThat(measured.firstFailure()).isEmpty();
    }

    @Test
    void an_interrupt_of_the_caller_ends_the_run_and_keeps_what_was_measured(@TempDir Path folder) {
        Thread caller = Thread.currentThread();
        Measured measured = Load.perSecond(1_000)
                .duration(Duration.ofSeconds(8))
                .run(beat -> {
                    if (beat.index() == 20) {
                        caller.interrupt();
                    }
                });
        for (String name : List.of("m.html", "m.downbeat")) {
            measured.save(folder.resolve(name));
            assertThat(folder.resolve(name)).isNotEmptyFile();
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(measured.answered()).isBetween(21L, 7_000L);
        assertThat(ReportAccess.of(measured).result().ending()).isEqualTo(dev.downbeat.run.RunSpan.Ending.INTERRUPTED);
        assertThat(measured.sentence()).matches("code: INTERRUPTED after [0-9.]+ s of 8 s: partial; errors < 1 % .*");
        assertThatThrownBy(measured::throwUnlessMet)
                .as("whatever was met by then")
                .isInstanceOf(AssertionError.class)
                .hasMessage(measured.sentence());
    }

    @Test
    void code_that_outlasts_the_patience_is_interrupted_and_counted_as_timed_out() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(3);
        Measured measured = everyTenMillis(3).timeout(Duration.ofMillis(100)).run(beat -> {
            try {
                Thread.sleep(30_000);
            } catch (InterruptedException expected) {
                interrupted.countDown();
                throw expected;
            }
        });
        assertThat(measured.timedOut()).isEqualTo(3);
        assertThat(measured.sentence()).contains("errors < 1 % MISSED: measured 100 % (3 of 3), mostly timeouts");
        assertThat(ReportAccess.of(measured).result().ledger().addsUp()).isTrue();
        assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_stage_ends_the_request_when_it_completes() {
        Executor later = CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);
        Measured measured = everyTenMillis(40)
                .runAsync(beat -> CompletableFuture.runAsync(
                        () -> {
                            if (beat.index() == 7) {
                                throw new IllegalStateException("the seventh");
                            }
                        },
                        later));
        assertThat(measured.answered()).isEqualTo(39);
        assertThat(measured.failures()).containsOnlyKeys("IllegalStateException");
        assertThat(measured.service().min()).isGreaterThan(Duration.ofMillis(40));
    }

    /** Neither what the code throws nor what its stage does ends the run. */
    @Test
    void asynchronous_code_that_breaks_fails_its_own_request_only() {
        Measured measured = everyTenMillis(30).timeout(Duration.ofMillis(500)).runAsync(beat -> {
            if (beat.index() % 3 == 0) {
                throw new AssertionError("at once");
            }
            CompletableFuture<String> never = new CompletableFuture<>() {
                @Override
                public CompletableFuture<String> toCompletableFuture() {
                    throw new UnsupportedOperationException();
                }
            };
            return beat.index() % 3 == 1 ? never : new CompletableFuture<String>();
        });
        assertThat(measured.failures()).containsOnlyKeys("AssertionError");
        assertThat(measured.failed()).isLessThanOrEqualTo(10); // one that is sent late on a busy machine has timed out
        // a generator that was paused when the last deadlines passed has them in flight
        assertThat(measured.failed() + measured.timedOut() + measured.inFlight())
                .isEqualTo(30);
        assertThat(measured.firstFailure()).get().isInstanceOf(AssertionError.class);
    }

    @Test
    void a_load_that_was_not_offered_meets_no_objective() {
        Measured measured = everyTenMillis(60).runAsync(beat -> {
            Thread.sleep(50); // on the thread that sends, so later requests are late
            return CompletableFuture.completedFuture("");
        });
        assertThat(measured.verdict()).isEqualTo(Verdict.UNSOUND);
        assertThatThrownBy(measured::throwUnlessMet).hasMessageContaining("the planned load was not offered");
    }

    private static Duration planned(Load load) {
        RunResult result = ReportAccess.of(load.run(beat -> {})).result();
        return Duration.ofNanos(result.plan().durationNanos());
    }

    @Test
    void a_load_lasts_as_long_as_its_arrivals_unless_another_duration_is_set() {
        Load stages = Load.open(Arrivals.stages("20ms:1k/s", "30ms:100..1k/s"));
        assertThat(planned(stages)).isEqualTo(Duration.ofMillis(50));
        assertThat(planned(stages.duration(Duration.ofMillis(30)).seed(1))).isEqualTo(Duration.ofMillis(30));
        assertThat(planned(Load.open(Arrivals.at(Duration.ofMillis(30))))).isEqualTo(Duration.ofNanos(30_000_001));
    }

    @Test
    void a_closed_load_has_as_many_calls_at_a_time_as_clients() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier all = new CyclicBarrier(3);
        AtomicInteger first = new AtomicInteger();
        Measured measured = Load.closed(3).duration(Duration.ofMillis(300)).run(beat -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            if (first.incrementAndGet() <= 3) {
                all.await(20, TimeUnit.SECONDS);
            }
            inside.decrementAndGet();
        });
        assertThat(most.get()).isEqualTo(3);
        assertThat(measured.answered()).isGreaterThan(3);
    }

    @Test
    void the_warm_up_is_not_measured() {
        AtomicInteger calls = new AtomicInteger();
        Measured measured = everyTenMillis(20).warmUp(Duration.ofMillis(100)).run(beat -> calls.incrementAndGet());
        assertThat(calls.get()).isEqualTo(30);
        assertThat(measured.planned()).isEqualTo(20);
        assertThat(ReportAccess.of(measured).details()).containsEntry("warm_up", "100 ms");
    }

    @Test
    void a_warm_up_would_use_up_data_that_are_for_once() {
        SystemUnderTest script = new Script() {
            @Override
            public Target mix(long seed) {
                throw new AssertionError("it must not be sent");
            }

            @Override
            public Target session(long seed) {
                throw new AssertionError("it must not be sent");
            }

            @Override
            public ThinkTime think(ThinkTime usual) {
                return usual;
            }

            @Override
            public boolean isDataUsedOnce() {
                return true;
            }
        };
        assertThatThrownBy(
                        () -> everyTenMillis(20).warmUp(Duration.ofMillis(100)).run(script))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("warmUp would use up rows of dataOnce");
        assertThatThrownBy(() -> everyTenMillis(20).warmUpUntilSteady().run(script))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void the_report_is_that_of_every_door(@TempDir Path folder) throws IOException {
        Measured measured = Load.perSecond(200)
                .duration(Duration.ofMillis(200))
                .objectives("p50<10s")
                .run(beat -> {});
        measured.save(folder.resolve("made/result.json"));
        assertThat(Files.readString(folder.resolve("made/result.json"))).contains("\"p50<10s\"", "\"errors<1%\"");
        assertThat(measured.text()).contains("MEASUREMENT", "SERVICE", "ledger");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("made"));
        measured.save(folder.resolve("link/result.txt"));
        assertThat(folder.resolve("made/result.txt")).isNotEmptyFile();
    }

    @Test
    void a_failed_request_has_a_time_of_its_own_and_a_result_says_when_it_was() {
        Instant before = Instant.now();
        Measured measured = everyTenMillis(4).run(beat -> {
            if (beat.index() == 0) {
                throw new IllegalStateException("no");
            }
        });
        assertThat(measured.response().count()).isEqualTo(3);
        assertThat(measured.failedTimes().count()).isOne();
        assertThat(measured.startedAt()).isAfterOrEqualTo(before).isBefore(Instant.now());
        assertThat(measured.length()).isPositive();
        assertThat(measured.isComplete()).isTrue();
    }

    @Test
    void a_name_that_a_load_does_not_have_is_refused() {
        Measured measured = everyTenMillis(1).run(beat -> {});
        assertThat(measured.names()).isEmpty();
        assertThatThrownBy(() -> measured.response("pay"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no request is called 'pay': all are alike");
        assertThatThrownBy(() -> measured.isLowerBound("pay", 99)).hasMessageContaining("'pay'");
    }

    @Test
    void loads_and_their_parts_say_what_they_are_and_equal_those_alike() {
        assertThat(Load.perSecond(500)).hasToString("Poisson 500/s for 10s");
        assertThat(Load.closed(2)).hasToString("2 users for 10s");
        assertThat(Load.sessions(Arrivals.perSecond(5).evenly())).hasToString("sessions at constant 5/s for 10s");
        assertThat(Beat.of(1, 0)).isEqualTo(Beat.of(1, 0)).isNotEqualTo(Beat.of(1, 1));
        assertThat(Beat.of(1, 0)).hasSameHashCodeAs(Beat.of(1, 0));
        assertThat(Arrivals.perSecond(5))
                .isEqualTo(Arrivals.perSecond(5))
                .isNotEqualTo(Arrivals.perSecond(5).evenly());
        assertThat(Arrivals.at(Duration.ZERO)).hasSameHashCodeAs(Arrivals.at(Duration.ZERO));
        assertThat(Objective.percent(0.1)).hasToString("0.1%").isEqualTo(Objective.percent(0.1));
    }

    @Test
    void objectives_are_added_whether_text_or_values() {
        Measured measured = everyTenMillis(3)
                .objectives("p50<10s")
                .objectives(Objective.max().below(Duration.ofSeconds(20)))
                .run(beat -> {});
        assertThat(ReportAccess.of(measured).verdict().objectives())
                .extracting(judged -> judged.slo().text())
                .containsExactly("p50<10s", "max<20s", "errors<1%");
    }

    @Test
    void an_unreachable_target_is_reported_in_its_own_words() {
        Target nobody = new Target() {
            @Override
            public String describe() {
                return "nobody";
            }

            @Override
            public dev.downbeat.exchange.Lane open(
                    int share,
                    int shares,
                    dev.downbeat.time.NanoClock clock,
                    dev.downbeat.exchange.Exchange.Listener listener)
                    throws IOException {
                throw new IOException("nobody is at home");
            }
        };
        assertThatThrownBy(() -> everyTenMillis(1).run(nobody))
                .isInstanceOf(LoadException.class)
                .hasMessage("nobody is at home");
    }

    /** Answers at once; from the command line it would be a URL. */
    private static final class AtOnce implements Target {
        @Override
        public String describe() {
            return "a service";
        }

        @Override
        public List<String> commandLineArguments() {
            return List.of("http://h/");
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) {
            return new CallLane(4, clock, listener, call -> call.complete(Outcome.answered()));
        }
    }

    @Test
    void a_measurement_of_a_target_is_repeated_by_a_command() {
        List<String> service = List.of("downbeat", "run", "http://h/");
        Load closed = Load.closed(2, Duration.ofMillis(5)).duration(Duration.ofMillis(20));
        assertThat(ReportAccess.of(closed.run(new AtOnce())).command())
                .startsWith(service.toArray(String[]::new))
                .endsWith("--closed=2", "--think=5ms", "--duration=20ms", "--timeout=30s");
        assertThat(ReportAccess.of(
                                Load.closed(2).duration(Duration.ofMillis(20)).run(new AtOnce()))
                        .command())
                .endsWith("http://h/", "--closed=2", "--duration=20ms", "--timeout=30s");
        Measured named = everyTenMillis(2).named("orders").run(new AtOnce());
        assertThat(ReportAccess.of(named).command())
                .startsWith(service.toArray(String[]::new))
                .endsWith("--rate=100/s", "--arrivals=constant", "--duration=20ms", "--timeout=5s");
        assertThat(named.name()).isEqualTo("orders");
        assertThat(named.answered()).isEqualTo(2);
        assertThat(ReportAccess.of(everyTenMillis(1).run(beat -> {})).command())
                .as("of code")
                .isEmpty();
        assertThatThrownBy(() -> everyTenMillis(1).inFlight(3).run(new AtOnce()))
                .hasMessageStartingWith("inFlight is for code: set how many connections ");
        SystemUnderTest stranger = new SystemUnderTest() {
            @Override
            public String toString() {
                return "a client of mine";
            }
        };
        assertThatThrownBy(() -> everyTenMillis(1).inFlight(3).run(stranger))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a system must be Http, Sqs or Jdbc, such as Http.get(url), but was a client of mine:"
                        + " measure your own code with run(beat -> ...)");
        assertThatThrownBy(() -> Load.sessions(Arrivals.perSecond(5)).run(new AtOnce()))
                .hasMessage("sessions need requests that each sends, such as Http.file(path)");
    }

    @Test
    void a_stage_that_outlasts_the_patience_is_cancelled() {
        CompletableFuture<String> never = new CompletableFuture<>();
        Measured measured = everyTenMillis(1).timeout(Duration.ofMillis(50)).runAsync(beat -> never);
        assertThat(measured.timedOut()).isOne();
        assertThatThrownBy(() -> never.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
    }

    @Test
    void an_objective_of_requests_that_do_not_exist_is_refused_before_any_is_called() {
        AtomicInteger calls = new AtomicInteger();
        assertThatThrownBy(() -> everyTenMillis(1).objectives("pay: p50<1s").run(beat -> calls.incrementAndGet()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("objective 'pay: p50<1s': no request is called 'pay': all are alike");
        assertThat(calls).hasValue(0);
    }

    @Test
    void every_extension_of_a_file_is_a_format_and_another_is_refused_with_those(@TempDir Path folder) {
        Measured measured = everyTenMillis(5).run(beat -> {});
        for (String extension : List.of("txt", "html", "json", "md", "csv", "xml", "hlog", "downbeat")) {
            Path file = folder.resolve("result." + extension);
            measured.save(file);
            assertThat(file).isNotEmptyFile();
        }
        assertThatThrownBy(() -> measured.save(folder.resolve("result.pdf")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(".txt, .html, .json")
                .hasMessageEndingWith("but the file was result.pdf");
        assertThatThrownBy(() -> measured.save(folder.resolve("result.txt/inside.txt")))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("inside.txt cannot be written: ");
    }

    @Test
    void a_saved_file_is_replaced_as_a_whole(@TempDir Path folder) throws IOException {
        Measured measured = everyTenMillis(5).run(beat -> {});
        for (String name : List.of("result.txt", "result.downbeat")) {
            Path file = folder.resolve(name);
            Files.writeString(file, "old");
            Path link = Files.createSymbolicLink(folder.resolve("link-" + name), file);
            try (InputStream reader = Files.newInputStream(file)) {
                measured.save(link);
                assertThat(reader.readAllBytes())
                        .as("who reads it meanwhile")
                        .asString()
                        .isEqualTo("old");
            }
            assertThat(Files.size(file)).isGreaterThan(3);
            assertThat(link).isSymbolicLink();
        }
        try (Stream<Path> all = Files.list(folder)) {
            assertThat(all).as("with two links").hasSize(4);
        }
    }

    @Test
    void a_setter_leaves_the_load_as_it_was() {
        Load load = everyTenMillis(5);
        load.named("other").duration(Duration.ofMillis(1)).objectives("p50<1ns").inFlight(1);
        Measured measured = load.run(beat -> {});
        assertThat(measured.planned()).isEqualTo(5);
        assertThat(measured.name()).isEqualTo("code");
        assertThat(measured.sentence()).doesNotContain("p50");
    }

    @Test
    void the_seed_determines_random_times_and_is_reported() {
        Load load = Load.perSecond(300).duration(Duration.ofMillis(300));
        Measured first = load.run(beat -> {});
        Measured other = load.seed(7).run(beat -> {});
        assertThat(load.run(beat -> {}).planned()).isEqualTo(first.planned());
        assertThat(ReportAccess.of(first).seed()).contains("2a");
        assertThat(ReportAccess.of(other).seed()).contains("7");
        assertThat(ReportAccess.of(everyTenMillis(1).run(beat -> {})).seed()).isEmpty();
    }

    /** Each setter with each shape: what would have no effect throws, at the call. */
    @Test
    void a_setter_without_meaning_for_the_shape_throws_and_no_other_does() {
        Arrivals random = Arrivals.perSecond(5);
        Map<String, Load> shapes = Map.of(
                "open", Load.open(random),
                "even", Load.open(random.evenly()),
                "times", Load.open(Arrivals.at(Duration.ZERO)),
                "sessions", Load.sessions(random),
                "closed", Load.closed(4),
                "thinking", Load.closed(4, Duration.ofMillis(1)));
        Map<String, UnaryOperator<Load>> setters = Map.ofEntries(
                Map.entry("seed", load -> load.seed(7)),
                Map.entry("inFlight", load -> load.inFlight(2)),
                Map.entry("named", load -> load.named("x")),
                Map.entry("duration", load -> load.duration(Duration.ofSeconds(1))),
                Map.entry("warmUp", load -> load.warmUp(Duration.ofSeconds(1))),
                Map.entry("warmUpUntilSteady", Load::warmUpUntilSteady),
                Map.entry("timeout", load -> load.timeout(Duration.ofSeconds(1))),
                Map.entry("objectives", load -> load.objectives("p99<50ms")),
                Map.entry(
                        "typed objectives",
                        load -> load.objectives(Objective.max().below(Duration.ofSeconds(1)))),
                Map.entry("sure", Load::sure),
                Map.entry("strict", Load::strict));
        Set<String> refused = new TreeSet<>();
        shapes.forEach((shape, load) -> setters.forEach((setter, set) -> {
            try {
                set.apply(load);
            } catch (IllegalArgumentException meaningless) {
                assertThat(meaningless).hasMessageStartingWith(setter + " is for an open load: ");
                refused.add(shape + "." + setter);
            }
        }));
        assertThat(refused)
                .containsExactly(
                        "closed.inFlight", "closed.seed", "sessions.inFlight", "thinking.inFlight", "thinking.seed");
        assertThat(setters).as("all setters but watch, of any load").hasSize(publicSetters());
    }

    private static int publicSetters() {
        return (int) Stream.of(Load.class.getMethods())
                .filter(method -> method.getReturnType() == Load.class && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.getName().equals("watch"))
                .count();
    }

    @Test
    void a_measurement_can_be_judged_by_other_objectives() {
        Measured measured = everyTenMillis(20).run(beat -> {
            Thread.sleep(20);
        });
        assertThat(measured.p(50).orElseThrow()).isBetween(Duration.ofMillis(20), measured.max());
        assertThat(measured.p(99)).as("of 20 requests").isEmpty();
        assertThat(measured.isLowerBound(100)).isFalse();
        Measured strict = measured.judgedBy("max<1ms");
        assertThat(strict.sentence()).startsWith("code: max < 1 ms MISSED");
        assertThat(strict.verdict()).isIn(Verdict.MISSED, Verdict.UNSOUND); // by how busy this machine is
        assertThat(measured.sentence()).doesNotContain("max <");
        assertThat(measured.isSound()).isEqualTo(measured.doubts().isEmpty());
    }

    @Test
    void where_every_request_failed_no_instrument_is_needed() {
        Measured measured = everyTenMillis(5).run(beat -> {
            throw new IOException("no");
        });
        assertThat(measured.verdict()).isEqualTo(Verdict.MISSED);
        assertThat(measured.answeredPerSecond()).isZero();
        assertThat(measured.errorShare()).isOne();
        assertThat(measured.service().isEmpty()).isTrue();
        assertThatThrownBy(measured::mean)
                .isInstanceOf(LoadException.class)
                .hasMessage("no request was measured, so there is no time of one");
    }

    @Test
    void limits_out_of_range_are_refused_with_the_value() {
        assertThatThrownBy(() -> everyTenMillis(1).inFlight(0))
                .hasMessage("inFlight must be from 1 to 1000000, but was 0");
        assertThatThrownBy(() -> everyTenMillis(1).inFlight(Integer.MAX_VALUE))
                .hasMessage("inFlight must be from 1 to 1000000, but was 2147483647");
        assertThatThrownBy(() -> Load.closed(1_000_001, Duration.ZERO))
                .hasMessage("clients must be from 1 to 1000000, but was 1000001");
        assertThatThrownBy(() -> everyTenMillis(1).objectives("p99<50")).hasMessageContaining("p99<50");
        assertThatThrownBy(() -> Load.perSecond(0)).hasMessage("perSecond must be at least 1, but was 0");
        assertThatThrownBy(() -> Load.closed(4).inFlight(2))
                .hasMessage("inFlight is for an open load: sessions and users wait for responses");
        assertThatThrownBy(() -> Load.closed(4).seed(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "seed is for an open load: the times of a closed loop are not random; Http.seed is for a file's"
                                + " values");
        assertThatThrownBy(() -> Load.closed(0)).hasMessage("clients must be from 1 to 1000000, but was 0");
        assertThatThrownBy(() -> everyTenMillis(1).duration(Duration.ZERO))
                .hasMessage("duration must be above zero, but was PT0S");
        assertThat(everyTenMillis(1).duration(Duration.ofDays(3_650))).isNotNull();
        assertThatThrownBy(
                        () -> everyTenMillis(1).duration(Duration.ofDays(3_650).plusNanos(1)))
                .hasMessageStartingWith("duration must be at most 3650 days, but was ");
        assertThatThrownBy(() -> everyTenMillis(1).named(" ")).hasMessage("the name of a load must not be blank");
        assertThatThrownBy(() -> Load.closed(1, Duration.ofNanos(-1)))
                .hasMessageStartingWith("think must not be negative");
        assertThatThrownBy(() -> everyTenMillis(1).timeout(Duration.ofSeconds(Long.MAX_VALUE)))
                .hasMessageStartingWith("timeout must be at most 3650 days, but was ");
        assertThatThrownBy(() -> everyTenMillis(1).warmUp(Duration.ofMillis(-1)))
                .hasMessage("warmUp must not be negative, but was PT-0.001S");
    }
}
