package dev.downbeat.junit;

import org.junit.jupiter.api.Test;

/** Nothing is wrong with these, and no misuse is seen in them. Not named like tests, as {@link Misuses}. */
final class FineUses {
    private FineUses() {}

    static class Fine {
        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        void m() {}
    }

    @Slo("p99<5s")
    abstract static class Base {
        @LoadTest(perSecond = 5)
        void m() {}
    }

    @Slo("p50<1s")
    static class Derived extends Base {}

    static class Disabled {
        @Test
        @org.junit.jupiter.api.Disabled
        @Slo("p99<50ms")
        void m() {}
    }

    static class WatchesNobody {
        @LoadTest(rate = "50/s", duration = "100ms", warmUp = "0ms", budget = "100ms")
        @Watch("pid:2147483647")
        void m() {}
    }

    @Slo("p99<5s")
    static class OuterOfStatic {
        static class Inner {
            @LoadTest(perSecond = 5)
            void m() {}
        }
    }
}
