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
 * A test whose method is called at a planned rate by many threads concurrently, and judged by its {@link Slo}s. Each
 * call is measured from its intended start; an exception counts as a failed request.
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
 * <p>The test passes if every objective is met, and fails with one sentence if one is missed. If the result is
 * undecided or unsound, it is measured again, for twice as long, within the {@link #budget}. After that, {@link
 * #undecided} determines the outcome. The console shows one line with the result, passed or not. Reports are written to
 * {@code target/downbeat}, or to the folder in the system property {@code downbeat.reports}. They are named after the
 * class, the method and the number of the invocation.
 *
 * <p>The system property {@code downbeat.baseline=update} writes a good result to {@code src/test/downbeat}, or to
 * {@code downbeat.baselines}, for you to commit; {@code add} keeps the existing ones as well. With a baseline, the test
 * also fails if it is confidently slower by more than {@link #slowerAtMost}, or is worse in another way. Hosts with different
 * processors, JDK or system are not compared, and the line says so.
 *
 * <p>A build can override all tests with the system properties {@code downbeat.rate}, {@code .duration}, {@code
 * .warmUp}, {@code .timeout}, {@code .budget}, {@code .undecided} ({@code fails}, {@code aborts}, ...), {@code
 * .slowerAtMost} and {@code .baseline}. The same keys, without {@code downbeat.}, work in a file {@code
 * downbeat.properties} on the class path. There, {@code nightly.duration=5m} applies only with {@code
 * -Ddownbeat.profile=nightly}; the default profile is {@code commit}.
 *
 * <p>A {@code dev.downbeat.load.Beat} parameter identifies the call, and an {@link Answer} parameter makes the method
 * asynchronous. Other parameters are resolved once, as for any test. {@code @BeforeEach} and {@code @AfterEach} run
 * once around all calls. No other test runs at the same time, because it would be measured too; with parallel
 * execution, the others wait. With {@code @ParameterizedTest} or {@code @RepeatedTest} on the same method, each
 * invocation is a separate load test. JUnit's {@code @Timeout}, like any interrupt, ends the run, and the results so
 * far are reported.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ResourceLock(value = Resources.GLOBAL, mode = ResourceAccessMode.READ_WRITE)
@ExtendWith(LoadTestExtension.class)
public @interface LoadTest {
    /** The rate over all threads: {@code 200/s}, {@code 1.5k/s}, {@code 30/m}, or a ramp {@code 100..500/s}. */
    String rate() default "";

    /** The rate as a number of calls per second, at least 1. */
    long perSecond() default 0;

    /** Stages with different rates instead, such as {@code 30s:1k/s}, {@code 1m:100..500/s}; 0 is a pause. */
    String[] stages() default {};

    /** The arrival process. */
    ArrivalLaw arrivals() default ArrivalLaw.POISSON;

    /**
     * The length of the load, such as {@code 20s} or {@code 1m30s}; the default is 10 s, or the length of the stages.
     */
    String duration() default "";

    /**
     * The length of an unmeasured warm-up with the same load. {@code auto} lasts until the median is steady: at least 6
     * s, at most 60 s, and at most three times the duration.
     */
    String warmUp() default "auto";

    /** The timeout of a call, from its intended start; its thread is then interrupted. */
    String timeout() default "30s";

    /**
     * The maximum number of calls in flight, up to 1,000,000; 0 means 10,000 with virtual threads, and 256 where the JDK
     * has none.
     */
    int inFlight() default 0;

    /**
     * The time limit for all runs and their warm-ups if the first is undecided; the first always completes, and an
     * automatic warm-up is not counted. The default suffices for a second run of double length, and is at least 1 min. It
     * is also the limit for the turns of each build of an {@link Against}.
     */
    String budget() default "";

    /**
     * The outcome of an undecided test. The system property {@code downbeat.undecided} sets it for all tests: {@code
     * fails}, {@code passes}, {@code fails-unless-machine-busy}, {@code aborts}, or {@code fails-after-3}, which passes
     * up to three times in a row.
     */
    Undecided undecided() default Undecided.FAILS_UNLESS_MACHINE_BUSY;

    /** With {@link Undecided#PASSES}: after how many undecided builds in a row the next fails, up to 99; 0 for never. */
    int failsAfter() default 0;

    /** Whether a comparison with a baseline is required. */
    Baselines baseline() default Baselines.WHEN_COMPARABLE;

    /** The accepted slowdown against the baseline at a percentile; 0.1 is 10 %, at least 0. */
    double slowerAtMost() default 0.1;

    /**
     * Whether to watch the JVM of the tests, for a service that runs in it: the sentence then names what slow calls
     * waited for. Its pauses also affect the measurement. For a service in its own JVM use {@link Watch}.
     */
    boolean watchSelf() default false;

    /** Selects one of 2^64 Poisson schedules, the same in each build. */
    long seed() default 42;

    /** The use of baselines. */
    enum Baselines {
        /** The test fails without a comparable baseline. */
        REQUIRED,
        /** The test is compared if possible; otherwise the line on the console gives the reason. */
        WHEN_COMPARABLE,
        /** The test is never compared. */
        OFF
    }

    /** The outcome of a test that is undecided or unsound. */
    enum Undecided {
        /**
         * It passes if other processes kept the processors so busy that even control calls were late; its line on the
         * console begins with UNDECIDED and says so. Otherwise it fails.
         */
        FAILS_UNLESS_MACHINE_BUSY,
        /** It fails: an unproven objective counts as missed. */
        FAILS,
        /** It passes, its line on the console begins with UNDECIDED, and {@link LoadTest#failsAfter} limits how often. */
        PASSES,
        /** It is aborted, which Surefire reports as skipped, with the sentence; for machines too noisy to decide. */
        ABORTS
    }
}
