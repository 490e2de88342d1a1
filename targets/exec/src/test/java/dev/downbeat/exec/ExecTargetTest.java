package dev.downbeat.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.exchange.PartTimes;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Workers are shell scripts: each reads lines, answers {@code ping}, and does what the test says with a request. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(60)
class ExecTargetTest {
    private static final int REQUESTS = 40;
    private static final ExecTarget.Options TWO =
            new ExecTarget.Options(2, Duration.ofSeconds(30), Duration.ofMillis(200));

    @TempDir
    private Path folder;

    /** A worker that runs this for each request; {@code $line} is the request and {@code $n} counts them from 1. */
    private String worker(String onRequest) throws IOException {
        Path script = Files.createTempFile(folder, "worker", ".sh");
        Files.writeString(
                script,
                "n=0\nwhile read -r line; do\n  case $line in\n    ping) echo pong ;;\n    *) n=$((n + 1)); "
                        + onRequest + " ;;\n  esac\ndone\n");
        return "sh " + script;
    }

    private static RunResult run(ExecTarget target) throws IOException {
        return run(target, 200, Duration.ofSeconds(30));
    }

    private static RunResult run(ExecTarget target, int perSecond, Duration timeout) throws IOException {
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(perSecond))))
                .maxRequests(REQUESTS)
                .timeout(timeout)
                .build();
        return new LoadRun(plan, target).run(Progress.none());
    }

    private RunResult run(String onRequest) throws IOException {
        return run(new ExecTarget(worker(onRequest), TWO, index -> Map.of()));
    }

    @Test
    void each_request_is_one_line_with_its_index_and_variables() throws IOException {
        Path seen = folder.resolve("seen");
        ExecTarget target = new ExecTarget(
                worker("printf '%s\\n' \"$line\" >>" + seen + "; echo ok"),
                ExecTarget.Options.workers(1),
                index -> Map.of("id", "a\"b" + index));

        RunResult result = run(target);

        assertThat(result.ledger().answered()).isEqualTo(REQUESTS);
        List<String> lines = Files.readAllLines(seen);
        assertThat(lines).hasSize(REQUESTS);
        assertThat(lines.get(7))
                .matches("\\{\"index\":7,\"intended_unix_ns\":\\d{19},\"vars\":\\{\"id\":\"a\\\\\"b7\"}}");
        assertThat(target.parts().get(0).count()).isEqualTo(50);
    }

    @Test
    void a_worker_reports_failures_and_parts_of_its_time() throws IOException {
        ExecTarget target = new ExecTarget(
                worker("if [ $((n % 4)) = 0 ]; then echo 'fail throttled {\"sign_ns\": 7000}'; else"
                        + " echo \"ok {\\\"connection\\\": $((n / 5)), \\\"connect_ns\\\": 1000}\"; fi"),
                ExecTarget.Options.workers(1),
                index -> Map.of());

        RunResult result = run(target);

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().failed()).isEqualTo(REQUESTS / 4);
        assertThat(result.recording().failures()).containsEntry("throttled", (long) REQUESTS / 4);
        assertThat(result.connections().opened()).isEqualTo(8);
        assertThat(target.parts()).extracting(PartTimes.PartSummary::name).contains("sign", "connect");
    }

    @Test
    void the_parts_of_a_warm_up_are_not_those_of_the_run() throws IOException {
        ExecTarget target = new ExecTarget(
                worker("echo 'ok {\"sign_ns\": 7000}'"), ExecTarget.Options.workers(1), index -> Map.of());
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(400))))
                .duration(Duration.ofMillis(100))
                .warmUp(Duration.ofMillis(100))
                .build();
        new LoadRun(plan, target).run(Progress.none());
        assertThat(target.parts()).extracting(PartTimes.PartSummary::count).containsExactly(50L, 40L);
    }

    @Test
    void a_worker_with_a_request_is_a_connection_in_use() throws IOException {
        ExecTarget target = new ExecTarget(
                worker("if [ $n = 2 ]; then sleep 2; fi; echo 'ok {\"connection\": 1}'"),
                ExecTarget.Options.workers(1),
                index -> Map.of());
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(20))))
                .maxRequests(2)
                .build();

        RunResult result = new LoadRun(plan, target).run(Progress.none());

        assertThat(result.intervals().get(0).connections().inUseAtEnd()).isEqualTo(1);
        assertThat(result.connections().inUseAtEnd()).isZero();
    }

    @Test
    void of_many_kinds_of_failure_the_later_ones_share_a_row() throws IOException {
        ExecTarget target =
                new ExecTarget(worker("echo fail kind$n"), ExecTarget.Options.workers(1), index -> Map.of());
        RunPlan plan = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(200))))
                .maxRequests(50)
                .build();

        Map<String, Long> failures =
                new LoadRun(plan, target).run(Progress.none()).recording().failures();

        assertThat(failures).hasSize(41).containsEntry("kind40", 1L).containsEntry("other failures of workers", 10L);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '`',
            delimiter = ';',
            value = {"{\"connection\": 1}; 40", "{\"connection\": 1, \"position\": 2}; 2"})
    void the_position_on_a_connection_is_counted_unless_the_worker_states_it(String details, int last)
            throws IOException {
        ExecTarget target =
                new ExecTarget(worker("echo 'ok " + details + "'"), ExecTarget.Options.workers(1), index -> Map.of());

        ServiceTimesByPosition positions = run(target).recording().anatomy().byPosition();

        assertThat(positions.last()).isEqualTo(last);
        assertThat(positions.at(last).count()).isEqualTo(REQUESTS + 1 - (last == 2 ? 1 : last));
    }

    @Test
    void a_worker_that_ends_fails_its_request_and_is_replaced() throws IOException {
        RunResult result = run("if [ $n = 10 ]; then echo boom >&2; exit 3; fi; echo ok");

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered() + result.ledger().failed()).isEqualTo(REQUESTS);
        long ended = result.recording().failures().getOrDefault("the worker exited with code 3: boom", 0L);
        assertThat(ended).isBetween(2L, 4L).isEqualTo(result.ledger().failed());
        assertThat(result.counts().count("workers replaced")).isBetween(ended - 2, ended);
    }

    /** What the kernel says when this user or container may have no more processes. */
    @Test
    void a_worker_that_cannot_be_forked_is_a_limit_of_this_machine() throws IOException {
        AtomicInteger starts = new AtomicInteger();
        ExecTarget target = new ExecTarget(
                worker("if [ $n = 10 ]; then exit 3; fi; echo ok"),
                ExecTarget.Options.workers(1),
                index -> Map.of(),
                words -> {
                    if (starts.incrementAndGet() == 2) {
                        throw new IOException(
                                "Cannot run program \"/bin/sh\": error=11, Resource temporarily unavailable");
                    }
                    return new ProcessBuilder(words).start();
                });

        RunResult result = run(target);

        assertThat(result.recording().tallies().ownLimits())
                .containsExactly(Map.entry(OwnLimit.PROCESSES.reason(), 1L));
        assertThat(result.recording().failures()).containsOnlyKeys("the worker exited with code 3");
        assertThat(result.ledger().addsUp()).isTrue();
    }

    @Test
    void a_process_whose_thread_cannot_be_started_is_killed_and_named_at_once() throws IOException {
        AtomicBoolean isKilled = new AtomicBoolean();
        Process threadless = new Process() {
            @Override
            public OutputStream getOutputStream() {
                throw new OutOfMemoryError("unable to create native thread: possibly out of memory");
            }

            @Override
            public InputStream getInputStream() {
                return InputStream.nullInputStream();
            }

            @Override
            public InputStream getErrorStream() {
                return InputStream.nullInputStream();
            }

            @Override
            public int waitFor() {
                return 0;
            }

            @Override
            public int exitValue() {
                return 0;
            }

            @Override
            public void destroy() {
                isKilled.set(true);
            }
        };
        ExecTarget target = new ExecTarget(
                worker("echo ok"), ExecTarget.Options.workers(1), index -> Map.of(), words -> threadless);

        assertThatThrownBy(() -> run(target))
                .isInstanceOf(IOException.class)
                .hasMessageEndingWith("could not be started: " + OwnLimit.PROCESSES.reason());
        assertThat(isKilled).isTrue();
    }

    @Test
    void workers_are_stopped_if_a_thread_for_one_of_them_cannot_be_started() throws IOException {
        List<Process> started = new CopyOnWriteArrayList<>();
        WorkerPool.Starter starter = new WorkerPool.Starter() {
            private int threads;

            @Override
            public Process start(List<String> words) throws IOException {
                Process process = new ProcessBuilder(words).start();
                started.add(process);
                return process;
            }

            @Override
            public void start(Thread thread) {
                if (++threads == 3) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                thread.start();
            }
        };
        ExecTarget target =
                new ExecTarget(worker("echo ok"), ExecTarget.Options.workers(4), index -> Map.of(), starter);

        assertThatThrownBy(() -> run(target))
                .isInstanceOf(IOException.class)
                .hasMessage("exec: not all of 4 workers could be started: " + OwnLimit.PROCESSES.reason());
        assertThat(started)
                .allMatch(process -> process.onExit()
                        .completeOnTimeout(process, 10, TimeUnit.SECONDS)
                        .thenApply(ended -> !ended.isAlive())
                        .join());
    }

    @Test
    void an_error_within_one_request_ends_no_worker() throws IOException {
        ExecTarget target = new ExecTarget(worker("echo ok"), TWO, index -> {
            if (index % 10 == 3) {
                throw new OutOfMemoryError("Java heap space");
            }
            return Map.of();
        });

        RunResult result = run(target, 200, Duration.ofSeconds(2));

        assertThat(result.ledger().answered()).isEqualTo(REQUESTS - 4);
        assertThat(result.recording().failures()).containsEntry("OutOfMemoryError", 4L);
        assertThat(result.ledger().addsUp()).isTrue();
    }

    @Test
    void a_worker_that_hangs_is_killed_when_its_request_has_timed_out() throws IOException {
        ExecTarget target = new ExecTarget(worker("if [ $n = 5 ]; then sleep 60; fi; echo ok"), TWO, index -> Map.of());

        RunResult result = run(target, 20, Duration.ofMillis(300));

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().timedOut()).isPositive();
        assertThat(result.ledger().answered()).isPositive();
        assertThat(result.counts().count("workers that hung")).isPositive();
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "echo hello | 'hello', which is neither 'ok' nor 'fail KIND'",
                "echo 'ok {' | 'ok {', which ",
                "head -c 70000 /dev/zero; echo | wrote a line of more than 65536 bytes",
            })
    void a_line_that_is_no_answer_is_named(String onRequest, String named) throws IOException {
        ExecTarget target = new ExecTarget(worker(onRequest), TWO, index -> Map.of());

        RunResult result = run(target);

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.ledger().answered()).isZero();
        assertThat(target.firstWrongLine()).get().asString().contains(named);
        assertThat(result.counts().count("lines that are no answers")).isPositive();
    }

    @Test
    void a_second_line_for_one_request_replaces_the_worker() throws IOException {
        ExecTarget target =
                new ExecTarget(worker("echo ok; if [ $n = 3 ]; then echo ok again; fi"), TWO, index -> Map.of());

        RunResult result = run(target);

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(target.firstWrongLine()).get().asString().startsWith("'ok again'");
        // it may come when the next request is written, and is its answer then
        assertThat(result.ledger().failed()).isEqualTo(result.counts().count("lines that are no answers"));
        assertThat(result.counts().count("lines that are no answers")
                        + result.counts().count(TargetCounts.UNSOLICITED_LINES))
                .isBetween(2L, 26L);
        assertThat(result.counts().count("workers replaced")).isPositive();
    }

    /** The extra line is the answer to the next request, whose own answer is taken for that of the one after it, and so on. */
    @Test
    void a_worker_that_is_one_answer_ahead_is_found_at_the_end_at_the_latest() throws IOException {
        ExecTarget target = new ExecTarget(
                worker("echo ok; if [ $n = 1 ]; then sleep 0.05; echo ok; fi; sleep 0.01"),
                ExecTarget.Options.workers(1),
                index -> Map.of());

        RunResult result = run(target, 100_000, Duration.ofSeconds(30));

        assertThat(result.ledger().answered()).isEqualTo(REQUESTS);
        assertThat(target.firstWrongLine()).hasValue("'ok' without a request");
        assertThat(result.counts().count(TargetCounts.UNSOLICITED_LINES)).isPositive();
    }

    @Test
    void at_the_end_the_input_of_each_worker_ends_and_it_may_clean_up() throws IOException {
        Path ended = folder.resolve("ended");

        run(new ExecTarget(worker("echo ok") + "; sleep 0.1; echo ended >>" + ended, TWO, index -> Map.of()));

        assertThat(Files.readAllLines(ended)).containsExactly("ended", "ended");
    }

    @Test
    void values_that_run_out_are_a_limit_of_our_own() throws IOException {
        ExecTarget target = new ExecTarget(worker("echo ok"), TWO, index -> {
            if (index >= 10) {
                throw new IllegalStateException("no row is left");
            }
            return Map.of();
        });

        RunResult result = run(target);

        assertThat(result.ledger().answered()).isEqualTo(10);
        assertThat(result.ledger().neverSent()).isEqualTo(REQUESTS - 10);
    }

    @Test
    void a_byte_between_requests_stops_no_worker() throws IOException {
        ExecTarget target =
                new ExecTarget(worker("echo ok; printf x"), ExecTarget.Options.workers(1), index -> Map.of());

        RunResult result = run(target, 100, Duration.ofSeconds(30));

        assertThat(result.ledger().timedOut()).isZero();
        assertThat(result.counts().count(TargetCounts.UNSOLICITED_LINES)
                        + result.counts().count("lines that are no answers"))
                .isPositive();
    }

    @Test
    void a_worker_that_hangs_is_replaced_after_as_long_again_as_its_request_had() throws IOException {
        ExecTarget target = new ExecTarget(
                worker("if [ $n = 2 ]; then sleep 60; fi; echo ok"), ExecTarget.Options.workers(1), index -> Map.of());

        RunResult result = run(target, 20, Duration.ofMillis(200));

        assertThat(result.ledger().addsUp()).isTrue();
        assertThat(result.counts().count("workers that hung")).isPositive();
        assertThat(result.ledger().answered()).isGreaterThan(1);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "no-such-command-at-all | exited with code 127",
                "echo out of memory >&2; exit 4 | exited with code 4: out of memory",
                "read -r x; echo hello; cat >/dev/null | answered 'hello' to 'ping', not 'pong'",
                "read -r x; echo pong; exec sleep 60 | did not answer 'ping' within 300 ms",
                "exec sleep 60 | did not answer 'ping' within 300 ms",
            })
    void a_worker_that_does_not_start_is_one_line(String command, String message) {
        boolean isSilent = message.endsWith("within 300 ms");
        ExecTarget.Options patience =
                new ExecTarget.Options(2, Duration.ofMillis(isSilent ? 300 : 30_000), Duration.ofSeconds(1));
        assertThatThrownBy(() -> run(new ExecTarget(command, patience, index -> Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("exec: '")
                .hasMessageContaining(message);
    }

    /** As a run is stopped: the generator that opens its workers is interrupted. */
    @Test
    void a_stop_does_not_wait_for_workers_that_do_not_answer() {
        ExecTarget target = new ExecTarget(
                "cat >/dev/null",
                new ExecTarget.Options(2, Duration.ofSeconds(2), Duration.ofSeconds(1)),
                index -> Map.of());
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> target.open(0, 1, NanoClock.system(), exchange -> {}))
                .isInstanceOf(IOException.class)
                .hasMessage("interrupted");
        assertThat(Thread.interrupted()).as("the run is reported next").isFalse();
    }
}
