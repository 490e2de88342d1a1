package dev.downbeat.junit;

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
 * @LoadTest(perSecond = 200, duration = "20s", warmUp = "5s")
 * @Slo("p99 < 50ms")
 * @Slo("errors < 0.1%")
 * void places_orders(Beat beat) {
 *     client.place(order(beat.index()));
 * }
 * }</pre>
 *
 * <p>The test passes if every objective was met, and fails with one sentence if one was missed. If the data allow neither
 * conclusion, or the numbers cannot be believed, it is measured again, for twice as long, within the {@link #budget}; if
 * that is used up, {@link #undecided} says what happens. The reports are in {@code target/downbeat}, or where the system
 * property {@code downbeat.reports} says.
 *
 * <p>With the system property {@code downbeat.baseline=update}, what was found to be well is written to {@code
 * src/test/downbeat}, or where {@code downbeat.baselines} says, to be committed. Where such a baseline is, the test fails
 * too if it is surely slower by more than {@link #slowerAtMost}, or fails more. On a host with other processors, JDK or
 * system nothing is compared, and the test says so.
 *
 * <p>A {@code dev.downbeat.load.Beat} parameter tells the calls apart; other parameters are resolved once, as for any
 * test. {@code @BeforeEach} and {@code @AfterEach} run once around all calls. No other test runs at the same time, since
 * it would be measured too; where tests run in parallel, the others wait. With {@code @ParameterizedTest} or {@code
 * @RepeatedTest} on the same method, each invocation is a load test of its own.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ResourceLock(value = Resources.GLOBAL, mode = ResourceAccessMode.READ_WRITE)
@ExtendWith(LoadTestExtension.class)
public @interface LoadTest {
    /** Calls per second over all threads, at least 1. */
    long perSecond();

    /** How the calls come. */
    Arrivals arrivals() default Arrivals.POISSON;

    /** For how long calls are meant to start, such as {@code 20s} or {@code 1m30s}. */
    String duration() default "10s";

    /** The same load for this long beforehand, unmeasured. */
    String warmUp() default "1s";

    /** The patience of a caller, from the intended time; the thread of the call is interrupted then. */
    String timeout() default "30s";

    /** How many calls may be in flight; 0 for 10,000 on virtual threads, and 256 where the JDK has none. */
    int inFlight() default 0;

    /** How long all measuring may take if the first run decides nothing; the first run is always made. */
    String budget() default "1m";

    /**
     * What becomes of a test that nothing could be decided of. The system property {@code downbeat.undecided=aborts} makes it
     * {@link Undecided#IS_ABORTED} for all tests, for one build machine that is too noisy.
     */
    Undecided undecided() default Undecided.FAILS;

    /** How much slower than its baseline it may surely be at a percentile; 0.1 is a tenth, at least 0. */
    double slowerAtMost() default 0.1;

    /** Chooses one of 2^64 Poisson schedules: the same in each build. */
    long seed() default 42;

    /** Laws by which calls come. */
    enum Arrivals {
        /** At random, as from many callers who know nothing of each other. */
        POISSON,
        /** Evenly spaced. */
        CONSTANT
    }

    /** What becomes of a test whose objectives could not be decided, or whose measurement is unsound. */
    enum Undecided {
        /** It fails: a promise that was not shown to be kept counts as broken. */
        FAILS,
        /** It is aborted, which Surefire reports as skipped, with the sentence: for machines too noisy to decide. */
        IS_ABORTED
    }
}
