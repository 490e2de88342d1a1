package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.event.Incident;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.Timing;
import dev.downbeat.verdict.Observations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Gil Tene's Ctrl-Z test with a real server, real sockets and a real SIGSTOP. The service stalls for 5 (or 4) of 20 seconds,
 * and the report must match the exact theoretical result. Over plain HTTP/1.1, TLS and HTTP/2.
 */
@Timing
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CtrlZTest {
    private static final double TOLERANCE = 0.02;
    private static final double[] PERCENTILES = {75, 90, 99, 99.9, 100};

    /** What the theory leaves out: the time of the service and of the kernel. */
    private static final long ALLOWANCE_NANOS = 3_000_000;

    /** The rate that selects TLS. */
    private static final int ENCRYPTED_PER_SECOND = 500;

    /** The rate that selects HTTP/2, over one connection. */
    private static final int SHARED_PER_SECOND = 800;

    /** Each run takes 20 s, so the tests share them. */
    private final Map<Integer, FrozenRun> runs = new ConcurrentHashMap<>();

    /** The runs are concurrent: each has its own server and takes a few per cent of a core. */
    @MeasuredFirst
    void freeze() throws Exception {
        List<Callable<FrozenRun>> freezes = Stream.of(1_000, SHARED_PER_SECOND, ENCRYPTED_PER_SECOND, 100)
                .<Callable<FrozenRun>>map(perSecond -> () -> {
                    FrozenRun run = perSecond == SHARED_PER_SECOND
                            ? FrozenRun.overHttp2(plan(perSecond))
                            : FrozenRun.of(plan(perSecond), perSecond == ENCRYPTED_PER_SECOND);
                    runs.put(perSecond, run);
                    return run;
                })
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(freezes.size());
        try {
            for (Future<FrozenRun> freeze : threads.invokeAll(freezes)) {
                freeze.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Each connection has one service time that contains the freeze. To keep the freeze out of the p99 of the service times,
     * there must be fewer connections than 1 % of the requests.
     */
    private static FrozenRun.Plan plan(int perSecond) {
        return new FrozenRun.Plan(
                perSecond,
                perSecond >= SHARED_PER_SECOND ? 64 : perSecond == ENCRYPTED_PER_SECOND ? 32 : 8,
                Duration.ofSeconds(20),
                Duration.ofSeconds(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(8),
                Duration.ofSeconds(perSecond == SHARED_PER_SECOND ? 4 : 5));
    }

    private FrozenRun run(int perSecond) {
        return Objects.requireNonNull(runs.get(perSecond));
    }

    @ParameterizedTest(name = "{0}/s")
    @ValueSource(ints = {1_000, SHARED_PER_SECOND, ENCRYPTED_PER_SECOND, 100})
    @NeverExcused
    void every_planned_request_is_counted_and_answered(int perSecond) {
        int planned = plan(perSecond).count();
        Ledger ledger = run(perSecond).result().ledger();
        assertThat(ledger).isEqualTo(new Ledger(planned, planned, 0, 0, 0, 0, 0));
        assertThat(ledger.addsUp()).isTrue();
        assertThat(run(perSecond).result().recording().response().count()).isEqualTo(planned);
        assertThat(run(perSecond).result().recording().service().count()).isEqualTo(planned);
    }

    /** Within 5 % or 20 ms, plus the uncertainty of the instants of the freeze. */
    @ParameterizedTest(name = "{0}/s")
    @ValueSource(ints = {1_000, SHARED_PER_SECOND, ENCRYPTED_PER_SECOND, 100})
    void the_freeze_is_one_stall_of_its_length_and_no_other_is_seen(int perSecond) {
        FrozenRun run = run(perSecond);
        List<Incident> stalls = Observations.of(run.result()).events().stream()
                .filter(incident -> incident.cause() == Incident.Cause.SERVICE_STALL)
                .toList();
        assertThat(stalls).hasSize(1);
        long frozenNanos = run.resumed().middleAt() - run.frozen().middleAt();
        long doubtNanos = run.doubtNanos() + Math.max(20_000_000, frozenNanos / 20);
        assertThat(stalls.get(0).startNanos() - (run.frozen().middleAt() - run.firstAt()))
                .isBetween(-doubtNanos, doubtNanos);
        assertThat(stalls.get(0).lengthNanos() - frozenNanos).isBetween(-doubtNanos, doubtNanos);
    }

    @ParameterizedTest(name = "{0}/s")
    @ValueSource(ints = {1_000, SHARED_PER_SECOND, ENCRYPTED_PER_SECOND, 100})
    void mean_and_percentiles_match_the_theory(int perSecond) {
        FrozenRun run = run(perSecond);
        FreezeLaw law = run.law(plan(perSecond));
        Distribution response = run.result().recording().response();
        List<String> wrong = new ArrayList<>();
        check(wrong, "mean", response.meanNanos(), law.meanNanos(), run.doubtNanos());
        for (double percentile : PERCENTILES) {
            long edge = percentile == 75 ? edgeNanos(run, law) : 0;
            double expected = law.percentileNanos(percentile);
            check(wrong, "p" + percentile, response.valueAtPercentile(percentile), expected, run.doubtNanos() + edge);
        }
        assertThat(wrong).isEmpty();
    }

    /**
     * With 5 of 20 s frozen, p75 is the request that was due when the service resumed. It lies within the drain, where
     * response times fall steeply from rank to rank, and includes the time that two processes take to wake up.
     */
    private static long edgeNanos(FrozenRun run, FreezeLaw law) {
        return law.drainNanos() / 2 + (run.resumed().middleAt() - run.frozen().middleAt()) / 100;
    }

    private static void check(List<String> wrong, String name, long measured, double expected, long doubtNanos) {
        double allowed = expected * TOLERANCE + ALLOWANCE_NANOS + doubtNanos;
        if (!(Math.abs(measured - expected) <= allowed)) {
            wrong.add(String.format(
                    Locale.ROOT,
                    "%s was %.1f ms, expected %.1f ms within %.1f ms",
                    name,
                    measured / 1e6,
                    expected / 1e6,
                    allowed / 1e6));
        }
    }

    @ParameterizedTest(name = "{0}/s")
    @ValueSource(ints = {1_000, SHARED_PER_SECOND, ENCRYPTED_PER_SECOND, 100})
    void half_of_the_requests_never_met_the_freeze(int perSecond) {
        FrozenRun run = run(perSecond);
        long freezeNanos = run.resumed().middleAt() - run.frozen().middleAt();
        assertThat(run.result().recording().response().valueAtPercentile(50)).isLessThan(freezeNanos / 20);
    }

    @ParameterizedTest(name = "{0}/s")
    @ValueSource(ints = {1_000, SHARED_PER_SECOND, ENCRYPTED_PER_SECOND, 100})
    void service_times_hide_the_freeze(int perSecond) {
        Distribution service = run(perSecond).result().recording().service();
        Distribution response = run(perSecond).result().recording().response();
        assertThat(service.valueAtPercentile(99)).isLessThan(response.valueAtPercentile(99) / 10);
    }
}
