package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.downbeat.load.ArrivalLaw;
import dev.downbeat.load.Beat;
import dev.downbeat.testing.SecretNames;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstancePostProcessor;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.support.AnnotationSupport;

/** Load tests that end in each of the possible ways. Not named like tests: only {@link LoadTestExtensionTest} runs them. */
final class Samples {
    private Samples() {}

    static class Keeps {
        static final Set<Long> BEATS = ConcurrentHashMap.newKeySet();
        static final AtomicInteger SET_UP = new AtomicInteger();
        static final AtomicInteger TORN_DOWN = new AtomicInteger();

        @BeforeEach
        void set_up() {
            SET_UP.incrementAndGet();
        }

        @AfterEach
        void tear_down() {
            TORN_DOWN.incrementAndGet();
        }

        /** Slow enough for a busy machine: what we are late by is judged beside it. */
        @LoadTest(perSecond = 100, duration = "500ms", warmUp = "0ms", arrivals = ArrivalLaw.CONSTANT)
        @Slo("errors<0.5%")
        void is_quick(TestInfo info, Beat beat) throws InterruptedException {
            assertThat(info.getDisplayName()).startsWith("is_quick");
            BEATS.add(beat.index());
            Thread.sleep(300);
        }
    }

    /**
     * Load tests whose assumption stops holding at the fifth call, as a user writes them. Nothing is skipped here: {@link
     * LoadTestExtensionTest} asserts that all end as aborted, long before their minute is over.
     */
    static class Assumes {
        static final AtomicInteger CALLS = new AtomicInteger();

        private static void assumeThatTheShopIsHere() {
            assumeTrue(CALLS.incrementAndGet() < 5, "the shop is not here");
        }

        @LoadTest(perSecond = 100, duration = "1m", warmUp = "0ms")
        void blocks() {
            assumeThatTheShopIsHere();
        }

        @LoadTest(perSecond = 100, duration = "1m", warmUp = "0ms")
        void answers(Answer answer) {
            assumeThatTheShopIsHere();
            answer.of(CompletableFuture.completedFuture(""));
        }

        @LoadTest(perSecond = 100, duration = "1m", warmUp = "0ms")
        void answers_later(Answer answer) {
            answer.of(CompletableFuture.runAsync(Assumes::assumeThatTheShopIsHere));
        }
    }

    /** Too few for p99.9, so it is measured twice within its budget. */
    static class MeasuredAgain {
        static final Queue<Long> BEATS = new ConcurrentLinkedQueue<>();

        @LoadTest(
                perSecond = 100,
                duration = "100ms",
                warmUp = "100ms",
                budget = "500ms",
                undecided = LoadTest.Undecided.ABORTS)
        @Slo("p99.9<10s")
        void is_undecided(Beat beat) {
            BEATS.add(beat.index());
        }
    }

    @Slo("max<2ms")
    static class Breaks {
        @LoadTest(perSecond = 100, duration = "300ms", warmUp = "0ms", budget = "300ms")
        void is_slow() throws InterruptedException {
            Thread.sleep(30);
        }
    }

    static class Inherits extends Breaks {}

    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    static class EachOfTwo {
        @Parameter
        int millis;

        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        void is_quick() throws InterruptedException {
            Thread.sleep(millis);
        }
    }

    /** A lock that another thread holds now and then. */
    static class Waits {
        private static final Object LOCK = new Object();
        private static final int[] HELD_AT = {400, 900, 1_250, 2_100};

        @BeforeEach
        void hold_it() {
            Thread holder = new Thread(() -> {
                try {
                    long before = 0;
                    for (int at : HELD_AT) {
                        Thread.sleep(at - before);
                        synchronized (LOCK) {
                            Thread.sleep(100);
                        }
                        before = at + 100L;
                    }
                } catch (InterruptedException ended) {
                    Thread.currentThread().interrupt();
                }
            });
            holder.setDaemon(true);
            holder.start();
        }

        @LoadTest(perSecond = 500, duration = "3s", warmUp = "0ms", budget = "2s", watchSelf = true)
        @Slo("max<10ms")
        void is_kept_waiting() {
            synchronized (LOCK) {
                assertThat(Thread.holdsLock(LOCK)).isTrue();
            }
        }
    }

    static class Throws {
        @LoadTest(perSecond = 50, duration = "400ms", warmUp = "0ms", budget = "400ms")
        void is_wrong() {
            throw new IllegalStateException("the order was lost");
        }
    }

    static class Tells {
        static final String URL = "http://" + SecretNames.VALUE + "@h/" + SecretNames.query(SecretNames.all());

        @LoadTest(perSecond = 50, duration = "200ms", warmUp = "0ms", budget = "200ms")
        void fails() {
            throw new IllegalStateException("GET " + URL + ": connection refused");
        }

        @ParameterizedTest
        @ValueSource(strings = "http://h/?jwt=" + SecretNames.VALUE)
        @LoadTest(perSecond = 50, duration = "200ms", warmUp = "0ms", budget = "200ms")
        void asks(String url) {
            throw new IllegalStateException(url);
        }
    }

    static class Healthy {
        @LoadTest(perSecond = 100, duration = "1s", warmUp = "0ms", budget = "1s")
        @Slo("p50<1s")
        void answers_in_20_ms() throws InterruptedException {
            Thread.sleep(20);
        }
    }

    static class TwiceTooSlow {
        @LoadTest(perSecond = 100, duration = "1s", warmUp = "0ms", budget = "1s")
        @Slo("p99<100ms")
        void answers_in_203_ms() throws InterruptedException {
            Thread.sleep(203);
        }
    }

    /** On a file system that ignores case, and with parameters that differ in what is no letter, or are long. */
    static class Named {
        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        @DisplayName("a name that somebody changes")
        void is_quick() {}

        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        void Is_Quick() {}

        @ParameterizedTest(name = "same")
        @MethodSource("texts")
        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        void is_quick(String text) {}

        static List<String> texts() {
            return List.of("a/b", "a b", "x".repeat(400));
        }
    }

    static class TooLong {
        @Timeout(value = 300, unit = TimeUnit.MILLISECONDS)
        @LoadTest(rate = "50/s", duration = "8s", warmUp = "0ms", budget = "8s")
        @Slo("p99.9<1s")
        void lasts() {}
    }

    static class TooFew {
        @LoadTest(
                perSecond = 20,
                duration = "300ms",
                warmUp = "0ms",
                budget = "300ms",
                undecided = LoadTest.Undecided.ABORTS)
        @Slo("p99.9<1s")
        void is_rare() {}
    }

    static class Malformed {
        @LoadTest(perSecond = 0)
        void never_comes() {}

        @LoadTest(perSecond = 5, duration = "soon")
        void has_no_length() {}

        @LoadTest(perSecond = 5)
        @Slo("p99<50")
        void has_no_unit() {}
    }

    static class Others {
        @LoadTest(perSecond = 50, duration = "200ms", warmUp = "0ms", budget = "200ms")
        void one() {}

        @Nested
        class Inner {
            @LoadTest(perSecond = 50, duration = "200ms", warmUp = "0ms", budget = "200ms")
            void two() {}
        }
    }

    @Slo("max<2ms")
    static class Around {
        @Nested
        @ExtendWith(Injecting.class)
        class Inner {
            @Injected
            @Nullable
            String collaborator;

            @ParameterizedTest
            @ValueSource(ints = {20, 30})
            @LoadTest(perSecond = 100, duration = "200ms", warmUp = "0ms", budget = "200ms")
            void is_slow_for_each(int millis, AtomicReference<String> ofOther, Beat beat) throws InterruptedException {
                assertThat(collaborator).isEqualTo("injected");
                assertThat(ofOther).hasValue("resolved");
                assertThat(beat.index()).isNotNegative();
                Thread.sleep(millis);
            }
        }
    }

    /** Its nested class is one of each class that extends it. */
    abstract static class OfEachStore {
        @Nested
        class Orders {
            @LoadTest(perSecond = 100, duration = "200ms", warmUp = "0ms", budget = "200ms")
            void place() throws InterruptedException {
                Thread.sleep(20);
            }
        }
    }

    @Slo("max<2ms")
    static class OfMemory extends OfEachStore {}

    static class OfDisk extends OfEachStore {}

    @LoadTest(perSecond = 50, duration = "200ms", warmUp = "0ms", budget = "200ms")
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Retention(RetentionPolicy.RUNTIME)
    @interface OfSizes {}

    static class Sizes {
        @OfSizes
        void place(int size) {
            assertThat(size).isPositive();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Injected {}

    /** Does what the extension of a container of beans does: fills fields, resolves parameters. */
    static class Injecting implements TestInstancePostProcessor, ParameterResolver {
        @Override
        public void postProcessTestInstance(Object instance, ExtensionContext context) throws IllegalAccessException {
            for (Field field : AnnotationSupport.findAnnotatedFields(instance.getClass(), Injected.class)) {
                field.set(instance, "injected");
            }
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == AtomicReference.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return new AtomicReference<>("resolved");
        }
    }
}
