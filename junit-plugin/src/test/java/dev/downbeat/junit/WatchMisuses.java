package dev.downbeat.junit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Watchers as nobody should ask for them. Not named like tests, as {@link Misuses}. */
final class WatchMisuses {
    private WatchMisuses() {}

    static class WatchedPlainTest {
        @Test
        @Watch("pid:1")
        void m() {}
    }

    @Watch("pid:1")
    static class WatchedClassWithout {
        @Test
        void m() {}
    }

    static class WatchesNothing {
        @LoadTest(perSecond = 5)
        @Watch("")
        void m() {}
    }

    static class WatchesNobodyKnows {
        @LoadTest(perSecond = 5)
        @Watch("java:4711")
        void m() {}
    }

    static class WatchesNoProperty {
        @LoadTest(perSecond = 5)
        @Watch("jvm:${shop.pid}")
        void m() {}
    }

    static class WatchesNull {
        @SuppressWarnings("UnusedVariable")
        private static @Nullable Process shop;

        @LoadTest(perSecond = 5)
        @Watch("jvm:${shop}")
        void m() {}
    }
}
