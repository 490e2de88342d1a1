package dev.downbeat.junit;

import dev.downbeat.load.ArrivalLaw;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * A test whose method is called at a planned rate, by many threads at the same time, and held against its {@link Slo}s.
 * Each call is measured from when it was meant to start; what the method throws is a failed request.
 *
 * <pre>{@code
 * @LoadTest(rate = "200/s", duration = "20s", warmUp = "5s")
 * @Slo("p99 < 50ms")
 * @Slo("errors < 0.1%")
 * void places_orders(Beat beat) {
 *     client.place(order(beat.index()));
 * }
 * }</pre>
 *
 * <p>The test passes if every objective was met, and fails with one sentence if one was missed. If the data allow neither
 * conclusion, or the numbers cannot be believed, it is measured again, for twice as long, within the {@link #budget}; if
 * that is used up, {@link #undecided} says what happens. One line on the console says what was measured, passed or not. The
 * reports are in {@code target/downbeat}, or where the system property {@code downbeat.reports} says; their names come from
 * class, method and the number of the invocation.
 *
 * <p>With the system property {@code downbeat.baseline=update}, what was found to be well is written to {@code
 * src/test/downbeat}, or where {@code downbeat.baselines} says, to be committed; with {@code add}, beside those that are there.
 * Where such a baseline is, the test fails too if it is surely slower by more than {@link #slowerAtMost}, or fails more. On a
 * host with other processors, JDK or system nothing is compared, and the line says so.
 *
 * <p>A build can say otherwise for all tests: by system properties {@code downbeat.rate}, {@code .duration}, {@code .warmUp},
 * {@code .timeout}, {@code .budget}, {@code .undecided} ({@code fails}, {@code aborts}, ...), {@code .slowerAtMost} and {@code
 * .baseline}, or by the same keys, without {@code downbeat.}, in a file {@code downbeat.properties} on the class path; there,
 * {@code nightly.duration=5m} holds with {@code -Ddownbeat.profile=nightly} only. Without a profile it is {@code commit}.
 *
 * <p>A {@code dev.downbeat.load.Beat} parameter tells the calls apart; with an {@link Answer} parameter the method is
 * asynchronous; other parameters are resolved once, as for any test. {@code @BeforeEach} and {@code @AfterEach} run once around
 * all calls. No other test runs at the same time, since it would be measured too; where tests run in parallel, the others wait.
 * With {@code @ParameterizedTest} or {@code @RepeatedTest} on the same method, each invocation is a load test of its own. JUnit's
 * {@code @Timeout}, like any interrupt, ends the run; what was measured until then is reported.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ResourceLock(value = Resources.GLOBAL, mode = ResourceAccessMode.READ_WRITE)
@ExtendWith(LoadTestExtension.class)
public @interface LoadTest {
    /** How often it is called over all threads: {@code 200/s}, {@code 1.5k/s}, {@code 30/m}, or a ramp {@code 100..500/s}. */
    String rate() default "";

    /** The same as a number of calls per second, at least 1. */
    long perSecond() default 0;

    /** Stretches of other rates instead, such as {@code 30s:1k/s}, {@code 1m:100..500/s}; 0 is a pause. */
    String[] stages() default {};

    /** How the calls come. */
    ArrivalLaw arrivals() default ArrivalLaw.POISSON;

    /** For how long calls are meant to start, such as {@code 20s} or {@code 1m30s}; 10 s unless stages say it. */
    String duration() default "";

    /**
     * The same load for this long beforehand, unmeasured. {@code auto} is until the median is steady: six seconds or more, 60 s
     * at most, and never more than three times the duration.
     */
    String warmUp() default "auto";

    /** The patience of a caller, from the intended time; the thread of the call is interrupted then. */
    String timeout() default "30s";

    /** How many calls may be in flight; 0 for 10,000 on virtual threads, and 256 where the JDK has none. */
    int inFlight() default 0;

    /** How long all measuring may take if the first run decides nothing; the first run is always made. */
    String budget() default "1m";

    /**
     * What becomes of a test that nothing could be decided of. The system property {@code downbeat.undecided} says it for all
     * tests: {@code fails}, {@code fails-unless-crowded}, {@code aborts}, or {@code fails-after-3}, which passes on a crowded machine
     * three times in a row.
     */
    Undecided undecided() default Undecided.FAILS_UNLESS_CROWDED;

    /** Whether it must be compared with a baseline. */
    Baselines baseline() default Baselines.WHEN_COMPARABLE;

    /** How much slower than its baseline it may surely be at a percentile; 0.1 is a tenth, at least 0. */
    double slowerAtMost() default 0.1;

    /**
     * Whether the JVM of the tests is watched, for a service that runs in it: the sentence says what the slow calls waited for.
     * Its pauses are those of the measurement too. A service in a JVM of its own is watched with {@link Watch}.
     */
    boolean watchSelf() default false;

    /** Chooses one of 2^64 Poisson schedules: the same in each build. */
    long seed() default 42;

    /** What is done with what was measured before. */
    enum Baselines {
        /** The test fails unless there is one that it can be compared with. */
        REQUIRED,
        /** It is compared where that can be done, and the line on the console says why if not. */
        WHEN_COMPARABLE,
        /** It is never compared. */
        OFF
    }

    /** What becomes of a test whose objectives could not be decided, or whose measurement is unsound. */
    enum Undecided {
        /**
         * It passes where processes of others kept the processors so busy that calls of any kind were late, and its line on the
         * console begins with UNDECIDED and says so. Elsewhere it fails.
         */
        FAILS_UNLESS_CROWDED,
        /** It fails: a promise that was not shown to be kept counts as broken. */
        FAILS,
        /** It is aborted, which Surefire reports as skipped, with the sentence: for machines too noisy to decide. */
        IS_ABORTED
    }
}
