package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.why.WatchResult;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchSettingsTest {
    private static final ProcessHandle SHOP = ProcessHandle.current();

    @Watch("pid:3")
    private static class Below {
        @SuppressWarnings("UnusedMethod")
        @Watch({"pid:1", "pid:${shop.pid}"})
        void all() {}

        @SuppressWarnings("UnusedMethod")
        @Watch("pid:${SHOP}")
        void by_a_field() {}

        @SuppressWarnings("UnusedMethod")
        void of_the_class() {}
    }

    private static WatchSettings of(String method) throws NoSuchMethodException {
        return WatchSettings.of(
                false, TestClasses.declaring(Below.class), Below.class.getDeclaredMethod(method), "Below." + method);
    }

    @Test
    void a_test_is_watched_by_its_own_watches_and_those_of_its_class() throws NoSuchMethodException {
        assertThat(of("of_the_class").specs()).containsExactly("pid:3");
        System.setProperty("shop.pid", "2");
        try {
            assertThat(of("all").specs()).containsExactly("pid:1", "pid:2", "pid:3");
            assertThat(of("all").processes()).containsExactlyInAnyOrder(1L, 2L, 3L);
        } finally {
            System.clearProperty("shop.pid");
        }
        assertThat(of("by_a_field").processes())
                .as("a static field of an enclosing class")
                .containsExactlyInAnyOrder(SHOP.pid(), 3L);
    }

    @Test
    void watches_of_an_enclosing_class_hold_as_well() throws NoSuchMethodException {
        Method m = Above.Inner.class.getDeclaredMethod("m");
        TestClasses declared = TestClasses.declaring(Above.Inner.class);
        assertThat(WatchSettings.of(false, declared, m, "Inner.m").specs()).containsExactly("pid:7");
        TestClasses inherited = new TestClasses(List.of(Above.Inner.class, Heir.class));
        assertThat(WatchSettings.of(false, inherited, m, "Inner.m").specs())
                .as("of the class that inherits it")
                .containsExactly("pid:" + SHOP.pid());
    }

    @Watch("pid:${HERE}")
    private static class Heir {
        static final ProcessHandle HERE = SHOP;
    }

    @Watch("pid:7")
    private static class Above {
        static class Inner {
            @SuppressWarnings("UnusedMethod")
            void m() {}
        }
    }

    @Test
    void a_watcher_without_events_is_named_with_its_reason() {
        assertThat(WatchSettings.words(new WatchResult("jvm:1", List.of(), 0, 0, 0, List.of())))
                .isEqualTo("jvm:1");
        assertThat(WatchSettings.words(WatchResult.nothing("jvm:1", "there is no process 1")))
                .isEqualTo("jvm:1: there is no process 1");
    }
}
