package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Lane;
import dev.downbeat.exchange.Target;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.run.Progress;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.engine.LoadRun;
import dev.downbeat.sqs.options.SqsOperation;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.testing.EndToEnd;
import dev.downbeat.testing.Timing;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Ctrl-Z test with a queue: a real server, the real SDK, a real SIGSTOP. */
@EndToEnd
@Timing
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FreezeTest {
    private static final double TOLERANCE = 0.03;

    /** What the closed form leaves out: the service's own time, and the kernel's. */
    private static final long ALLOWANCE_NANOS = 5_000_000;

    private static final int PER_SECOND = 200;

    /**
     * How long a run takes, how long the server is frozen in it, and after which time.
     *
     * @param runNanos at least twice the freeze, so that the median is not touched by it
     */
    private record Story(long runNanos, long freezeNanos, long beforeNanos) {
        /** The one that people know. */
        static final Story CTRL_Z = ofMillis(8_000, 3_000, 2_000);

        /** The same law needs no more than this. */
        static final Story SHORT = ofMillis(4_500, 1_500, 1_000);

        static Story ofMillis(long run, long freeze, long before) {
            return new Story(
                    TimeUnit.MILLISECONDS.toNanos(run),
                    TimeUnit.MILLISECONDS.toNanos(freeze),
                    TimeUnit.MILLISECONDS.toNanos(before));
        }

        int count() {
            return (int) (runNanos * PER_SECOND / TimeUnit.SECONDS.toNanos(1));
        }

        /** Requests due by then, less those that may be on their way. */
        int due(long at, long fromAt) {
            long nanos = at - fromAt + beforeNanos - TimeUnit.MILLISECONDS.toNanos(20);
            return (int) (nanos * PER_SECOND / TimeUnit.SECONDS.toNanos(1));
        }
    }

    private static ElasticMq server;

    @BeforeAll
    static void start() throws IOException {
        server = ElasticMq.shared();
    }

    /** When the signals were sent, and by when the queue had all that was due, on the run's clock. */
    private record Frozen(long fromAt, long untilAt, long clearAt) {}

    private record Run(RunResult result, Frozen frozen, Story story) {}

    private record Opened(Target target, CountDownLatch opened, AtomicReference<Lane> lane) implements Target {
        Opened(Target target) {
            this(target, new CountDownLatch(1), new AtomicReference<>());
        }

        long delivered() {
            return Objects.requireNonNull(lane.get()).counts().count("messages delivered");
        }

        @Override
        public String describe() {
            return target.describe();
        }

        @Override
        public Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
            Lane open = target.open(share, shares, clock, listener);
            lane.set(open);
            opened.countDown();
            return open;
        }
    }

    private static Run frozenRun(SqsTransport transport, SqsOperation operation, Story story) throws Exception {
        String queue = server.queue(false);
        Consumer<SqsOptions.Draft> options = server.options(transport, operation);
        Runs.of(server.queue(false), options, Runs.plan(4 * PER_SECOND, Duration.ofMillis(1_500))); // both JVMs warm up
        RunPlan plan = Runs.plan(PER_SECOND, Duration.ofNanos(story.runNanos)).build();
        Opened target = new Opened(new SqsTarget(queue, SqsOptions.of(options)));
        FutureTask<Frozen> freezing = new FutureTask<>(() -> freeze(target, queue, operation, story));
        Thread freezer = new Thread(freezing, "freezer");
        freezer.start();
        RunResult result = new LoadRun(plan, target).run(Progress.none());
        return new Run(result, freezing.get(), story);
    }

    private static Frozen freeze(Opened target, String queue, SqsOperation operation, Story story)
            throws InterruptedException {
        target.opened.await();
        TimeUnit.NANOSECONDS.sleep(story.beforeNanos);
        long fromAt = System.nanoTime();
        server.signal("STOP");
        try {
            LockSupport.parkNanos(story.freezeNanos);
        } finally {
            server.signal("CONT");
        }
        long untilAt = System.nanoTime();
        // The queue itself says how long it worked off what had gathered; one that is consumed from cannot, so the
        // books do.
        boolean isConsumed = operation == SqsOperation.DELIVERY;
        while (System.nanoTime() - untilAt < story.freezeNanos
                && (isConsumed ? target.delivered() : server.size(queue)) < story.due(System.nanoTime(), fromAt)) {
            LockSupport.parkNanos(2_000_000);
        }
        return new Frozen(fromAt, untilAt, System.nanoTime());
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"DOWNBEAT", "APACHE", "NETTY"})
    void a_freeze_of_the_queue_shows_by_the_closed_form(SqsTransport transport) throws Exception {
        Story story = transport == SqsTransport.DOWNBEAT ? Story.CTRL_Z : Story.SHORT;
        Run run = frozenRun(transport, SqsOperation.SEND, story);
        RunResult result = run.result;

        assertThat(result.recording().failures()).isEmpty();
        assertThat(result.ledger()).isEqualTo(new Ledger(story.count(), story.count(), 0, 0, 0, 0, 0));
        assertThat(result.recording().response().count()).isEqualTo(story.count());

        assertByClosedForm(run);
        Distribution response = result.recording().response();
        // Freeze and drain together may reach the median where the drain is long, but then only with the drain's end.
        long drainNanos = run.frozen.clearAt - run.frozen.untilAt;
        assertThat(response.valueAtPercentile(50)).isLessThan(story.freezeNanos / 20 + drainNanos);
    }

    private static void assertByClosedForm(Run run) {
        Distribution response = run.result.recording().response();
        List<String> wrong = new ArrayList<>();
        for (double percentile : new double[] {90, 99, 100}) {
            check(wrong, percentile, response.valueAtPercentile(percentile), run);
        }
        assertThat(wrong).isEmpty();
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
        double slowerNanos = (100 - percentile) / 100 * run.story.runNanos;
        return lengthNanos * (1 - slowerNanos / toClearNanos);
    }

    @Test
    void a_frozen_queue_loses_no_message_and_deliveries_wait_by_the_closed_form() throws Exception {
        Run run = frozenRun(SqsTransport.APACHE, SqsOperation.DELIVERY, Story.SHORT);
        RunResult result = run.result;
        int count = Story.SHORT.count();
        TargetCounts counts = result.counts();
        assertThat(result.ledger()).isEqualTo(new Ledger(count, count, 0, 0, 0, 0, 0));
        assertThat(counts.count("messages sent")).isEqualTo(count);
        assertThat(counts.count("messages delivered")).isEqualTo(count);
        assertThat(counts.count("messages not arrived")).isZero();
        assertByClosedForm(run);
    }

    @Test
    void messages_that_never_arrive_are_in_the_ledger() throws Exception {
        String queue = server.queue(false);
        // Messages are kept back for a second each, so that there are some to lose at any moment.
        RunPlan plan = Runs.plan(150, Duration.ofSeconds(2))
                .timeout(Duration.ofMillis(2_500))
                .build();
        SqsOptions options = SqsOptions.of(server.options(SqsTransport.NETTY, SqsOperation.DELIVERY)
                .andThen(draft -> draft.delay = Duration.ofSeconds(1)));
        Opened target = new Opened(new SqsTarget(queue, options));
        FutureTask<Boolean> purge = new FutureTask<>(() -> {
            target.opened.await();
            TimeUnit.MILLISECONDS.sleep(1_200);
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
