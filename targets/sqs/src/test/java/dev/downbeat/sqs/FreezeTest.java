package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.LoadRun;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.target.Exchange;
import dev.downbeat.target.Lane;
import dev.downbeat.target.Target;
import dev.downbeat.target.TargetCounts;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Ctrl-Z test with a queue: a real server, the real SDK, a real SIGSTOP. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FreezeTest {
    private static final double TOLERANCE = 0.03;

    /** What the closed form leaves out: the service's own time, and the kernel's. */
    private static final long ALLOWANCE_NANOS = 5_000_000;

    private static final int PER_SECOND = 200;
    private static final int SECONDS = 10;
    private static final int COUNT = PER_SECOND * SECONDS;
    private static final long FREEZE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static ElasticMq server;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** When the signals were sent, and by when the queue had all that was due, on the run's clock. */
    private record Frozen(long fromAt, long untilAt, long clearAt) {}

    private record Run(RunResult result, Frozen frozen) {}

    private record Opened(Target target, CountDownLatch opened) implements Target {
        @Override
        public String describe() {
            return target.describe();
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
            Lane lane = target.open(share, shares, clock, listener);
            opened.countDown();
            return lane;
        }
    }

    private static Run frozenRun(SqsTransport transport, SqsOperation operation) throws Exception {
        String queue = server.queue(false);
        SqsOptions.Builder options = server.options(transport, operation);
        Runs.of(server.queue(false), options, Runs.plan(4 * PER_SECOND, Duration.ofSeconds(3))); // both JVMs warm up
        RunPlan plan = Runs.plan(PER_SECOND, Duration.ofSeconds(SECONDS)).build();
        Opened target = new Opened(new SqsTarget(queue, options.build()), new CountDownLatch(1));
        FutureTask<Frozen> freezing = new FutureTask<>(() -> freeze(target.opened, queue, operation));
        Thread freezer = new Thread(freezing, "freezer");
        freezer.start();
        RunResult result = new LoadRun(plan, target).run(Progress.none());
        return new Run(result, freezing.get());
    }

    private static Frozen freeze(CountDownLatch opened, String queue, SqsOperation operation)
            throws InterruptedException {
        opened.await();
        TimeUnit.SECONDS.sleep(4);
        long fromAt = System.nanoTime();
        server.signal("STOP");
        try {
            LockSupport.parkNanos(FREEZE_NANOS);
        } finally {
            server.signal("CONT");
        }
        long untilAt = System.nanoTime();
        // The queue itself says how long it worked off what had gathered; a queue that is consumed from cannot.
        while (operation == SqsOperation.SEND
                && System.nanoTime() - untilAt < FREEZE_NANOS
                && server.size(queue) < due(System.nanoTime(), fromAt)) {
            LockSupport.parkNanos(2_000_000);
        }
        return new Frozen(fromAt, untilAt, System.nanoTime());
    }

    /** Requests due by then, less those that may be on their way: the freeze began 4 s after the first. */
    private static int due(long at, long fromAt) {
        long nanos = at - fromAt + TimeUnit.MILLISECONDS.toNanos(3_980);
        return (int) (nanos * PER_SECOND / TimeUnit.SECONDS.toNanos(1));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY"})
    void a_freeze_of_the_queue_shows_by_the_closed_form(SqsTransport transport) throws Exception {
        Run run = frozenRun(transport, SqsOperation.SEND);
        RunResult result = run.result;

        assertThat(result.recording().failures()).isEmpty();
        assertThat(result.ledger()).isEqualTo(new Ledger(COUNT, COUNT, 0, 0, 0, 0, 0));
        assertThat(result.recording().response().count()).isEqualTo(COUNT);

        Distribution response = result.recording().response();
        List<String> wrong = new ArrayList<>();
        for (double percentile : new double[] {90, 99, 100}) {
            check(wrong, percentile, response.valueAtPercentile(percentile), run);
        }
        assertThat(wrong).isEmpty();
        assertThat(response.valueAtPercentile(50)).isLessThan(FREEZE_NANOS / 20);
    }

    /** Of the drain only the length is known, not the pace: an answer in it may come earlier or later than evenly. */
    private static void check(List<String> wrong, double percentile, long shown, Run run) {
        double must = law(run, percentile);
        double drainNanos = run.frozen.clearAt - run.frozen.untilAt;
        double allowed = must * TOLERANCE + ALLOWANCE_NANOS + drainNanos / 2;
        if (!(Math.abs(shown - must) <= allowed)) {
            wrong.add(String.format(
                    Locale.ROOT,
                    "p%s was %.1f ms instead of %.1f ms, give or take %.1f ms",
                    percentile,
                    shown / 1e6,
                    must / 1e6,
                    allowed / 1e6));
        }
    }

    /**
     * What was due at {@code t} in the freeze is answered after it, in the order of arrival and at an even pace, while
     * more arrives: at {@code until + drain * (t - from) / (clear - from)}. So response times fall linearly with {@code t},
     * and the slowest n % of all requests are the first that met the freeze.
     */
    private static double law(Run run, double percentile) {
        Frozen frozen = run.frozen;
        double lengthNanos = frozen.untilAt - frozen.fromAt;
        double toClearNanos = frozen.clearAt - frozen.fromAt;
        double slowerNanos = (100 - percentile) / 100 * SECONDS * 1e9;
        return lengthNanos * (1 - slowerNanos / toClearNanos);
    }

    @Test
    void a_frozen_queue_loses_no_message() throws Exception {
        RunResult result = frozenRun(SqsTransport.APACHE, SqsOperation.DELIVERY).result;
        TargetCounts counts = result.counts();
        assertThat(result.ledger()).isEqualTo(new Ledger(COUNT, COUNT, 0, 0, 0, 0, 0));
        assertThat(counts.count("messages sent")).isEqualTo(COUNT);
        assertThat(counts.count("messages delivered")).isEqualTo(COUNT);
        assertThat(counts.count("messages not arrived")).isZero();
        assertThat(result.recording().response().maxNanos()).isGreaterThan(FREEZE_NANOS * 9 / 10);
    }

    @Test
    void messages_that_never_arrive_are_in_the_ledger() throws Exception {
        String queue = server.queue(false);
        // Messages are kept back for a second each, so that there are some to lose at any moment.
        RunPlan plan = Runs.plan(100, Duration.ofSeconds(3))
                .timeout(Duration.ofSeconds(4))
                .build();
        SqsOptions options = server.options(SqsTransport.NETTY, SqsOperation.DELIVERY)
                .delay(Duration.ofSeconds(1))
                .build();
        Opened target = new Opened(new SqsTarget(queue, options), new CountDownLatch(1));
        FutureTask<Boolean> purge = new FutureTask<>(() -> {
            target.opened.await();
            TimeUnit.MILLISECONDS.sleep(1_500);
            server.client().purgeQueue(request -> request.queueUrl(queue));
            return true;
        });
        new Thread(purge, "purge").start();
        RunResult result = new LoadRun(plan, target).run(Progress.none());
        assertThat(purge.get()).isTrue();
        TargetCounts counts = result.counts();
        long lost = counts.count("messages not arrived");
        assertThat(lost).isBetween(1L, 200L);
        assertThat(result.ledger()).isEqualTo(new Ledger(300, 300 - lost, 0, lost, 0, 0, 0));
        assertThat(counts.count("messages sent")).isEqualTo(300);
        assertThat(counts.count("messages delivered")).isEqualTo(300 - lost);
        assertThat(counts.count("messages in flight")).isZero();
    }
}
