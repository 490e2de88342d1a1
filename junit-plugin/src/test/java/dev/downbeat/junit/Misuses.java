package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write by mistake. Not named like tests: only {@link MisuseTest} runs them. */
final class Misuses {
    private Misuses() {}

    static class NoRate {
        @LoadTest
        void m() {}
    }

    static class TwoRates {
        @LoadTest(rate = "5/s", perSecond = 5)
        void m() {}
    }

    static class RateAndStages {
        @LoadTest(rate = "5/s", stages = "1s:5")
        void m() {}
    }

    static class NegativeRate {
        @LoadTest(perSecond = -1)
        void m() {}
    }

    static class NoNumber {
        @LoadTest(rate = "fast")
        void m() {}
    }

    static class NothingAtAll {
        @LoadTest(rate = "0/s")
        void m() {}
    }

    static class TooFast {
        @LoadTest(rate = "101M/s")
        void m() {}
    }

    static class LevelRamp {
        @LoadTest(rate = "5..5/s")
        void m() {}
    }

    static class NoStage {
        @LoadTest(stages = "5/s")
        void m() {}
    }

    static class StageOfNoTime {
        @LoadTest(stages = "0s:5/s")
        void m() {}
    }

    static class StagesAndDuration {
        @LoadTest(stages = "1s:5/s", duration = "2s")
        void m() {}
    }

    static class NoUnit {
        @LoadTest(perSecond = 5, duration = "20")
        void m() {}
    }

    static class NoTime {
        @LoadTest(perSecond = 5, duration = "0s")
        void m() {}
    }

    static class WarmUpInWords {
        @LoadTest(perSecond = 5, warmUp = "short")
        void m() {}
    }

    static class NoPatience {
        @LoadTest(perSecond = 5, timeout = "0s")
        void m() {}
    }

    static class NoBudget {
        @LoadTest(perSecond = 5, budget = "much")
        void m() {}
    }

    static class NegativeInFlight {
        @LoadTest(perSecond = 5, inFlight = -1)
        void m() {}
    }

    static class NegativeTolerance {
        @LoadTest(perSecond = 5, slowerAtMost = -0.1)
        void m() {}
    }

    static class NotANumber {
        @LoadTest(perSecond = 5, slowerAtMost = Double.NaN)
        void m() {}
    }

    static class ObjectiveWithoutUnit {
        @LoadTest(perSecond = 5)
        @Slo("p99<50")
        void m() {}
    }

    static class ObjectiveOfNothing {
        @LoadTest(perSecond = 5)
        @Slo("speed<50ms")
        void m() {}
    }

    static class ObjectiveOfNobody {
        @LoadTest(perSecond = 5)
        @Slo("pay: p99<50ms")
        void m() {}
    }

    static class InnerWithoutNested {
        @Test
        void other() {}

        class Inner {
            @LoadTest(perSecond = 5)
            void m() {}
        }
    }

    static class PlainTest {
        @Test
        @Slo("p99<50ms")
        void m() {}
    }

    static class PlainTestTwice {
        @Test
        @Slo("p99<50ms")
        @Slo("p50<5ms")
        void m() {}
    }

    static class PlainParameters {
        @ParameterizedTest
        @ValueSource(ints = 1)
        @Slo("p99<50ms")
        void m(int i) {}
    }

    static class SetUp {
        @BeforeEach
        @Slo("p99<50ms")
        void m() {}

        @LoadTest(perSecond = 5)
        void fine() {}
    }

    @Slo("p99<50ms")
    static class ClassWithout {
        @Test
        void m() {}
    }

    static class InnerWithout {
        @Nested
        @Slo("p99<50ms")
        class Inner {
            @Test
            void m() {}
        }
    }

    static class Future {
        @LoadTest(perSecond = 5)
        CompletableFuture<String> m() {
            return new CompletableFuture<>();
        }
    }

    static class Stage {
        @LoadTest(perSecond = 5)
        CompletionStage<String> m(Beat beat) {
            return new CompletableFuture<>();
        }
    }

    static class Publisher {
        @LoadTest(perSecond = 5)
        org.reactivestreams.Publisher<String> m() {
            return subscriber -> {};
        }
    }

    static class Returned {
        @LoadTest(perSecond = 5)
        int m() {
            return 5;
        }
    }

    static class Private {
        @LoadTest(perSecond = 5)
        @SuppressWarnings("UnusedMethod")
        private void m() {}
    }

    static class Static {
        @LoadTest(perSecond = 5)
        static void m() {}
    }

    static class TestAsWell {
        @Test
        @LoadTest(perSecond = 5)
        void m() {}
    }

    static class TwoAnswers {
        @LoadTest(perSecond = 5)
        void m(Answer one, Answer other) {}
    }

    static class ForgottenAnswer {
        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        void m(Answer answer) {}
    }

    static class AgainstPlainTest {
        @Test
        @Against(serviceUrl = "http://127.0.0.1:1")
        void m() {}
    }

    @Against(serviceUrl = "http://127.0.0.1:1")
    static class AgainstClassWithout {
        @Test
        void m() {}
    }

    @Against(serviceUrl = "http://127.0.0.1:1")
    static class AgainstNobody {
        @LoadTest(perSecond = 5)
        void m() {}
    }

    static class InheritsPlainTest extends PlainTest {}

    static class InheritsFuture extends Future {}

    static class OddTag {
        @Test
        @Tag("two words")
        @Slo("p99<50ms")
        void m() {}
    }

    static class NeedsBaseline {
        @LoadTest(rate = "50/s", baseline = LoadTest.Baselines.REQUIRED)
        void m() {}
    }
}
