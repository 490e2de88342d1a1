package dev.downbeat.http.wait;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.wait.SelectorWait.FineWait;
import java.nio.channels.Selector;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PacingTest {
    @ParameterizedTest(name = "{0}/s, {1} generators, {2} cores, service here: {3}")
    @CsvSource({
        "10000, 1, 2, false, SPIN",
        "10000, 1, 2, true, BLOCK",
        "10000, 1, 4, true, SPIN",
        "10000, 2, 4, true, BLOCK",
        "10000, 2, 2, false, BLOCK",
        "100, 1, 2, true, HYBRID",
        "100, 1, 1, false, BLOCK",
        "0, 1, 2, true, HYBRID",
    })
    void a_core_is_spun_away_only_if_it_is_spare(
            long perSecond, int generators, int cores, boolean isLocal, Pacing pacing) {
        assertThat(Pacing.suited(perSecond, generators, cores, isLocal).way()).isEqualTo(pacing);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:80/",
                "http://LOCALHOST/",
                "https://127.0.0.1/",
                "http://127.8.9.10/",
                "http://[::1]:1/",
                "http://[0:0:0:0:0:0:0:1]/",
                "unix:/run/x.sock:/"
            })
    void a_service_is_here_if_its_address_says_so(String url) {
        assertThat(HttpEndpoint.parse(url).isLoopback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://localhost.example/", "http://128.0.0.1/", "http://[2001:db8::1]/", "http://127.example/"
            })
    void otherwise_it_is_elsewhere(String url) {
        assertThat(HttpEndpoint.parse(url).isLoopback()).isFalse();
    }

    /** Where the JDK can call C functions and the selector may be looked at, as in a JVM of the launcher's on Java 22. */
    @Test
    void a_precise_wait_has_its_length_and_ends_on_an_event() throws Exception {
        try (Selector selector = Selector.open()) {
            Optional<FineWait> fine = FineWait.of(selector);
            boolean isOpen = selector.getClass().getModule().isOpen("sun.nio.ch", FineWait.class.getModule());
            boolean isLinux = System.getProperty("os.name").equals("Linux");
            assertThat(fine.isPresent())
                    .isEqualTo(isOpen && isLinux && Runtime.version().feature() >= 22);
            if (fine.isPresent()) {
                long startAt = System.nanoTime();
                fine.get().await(2_345_678);
                assertThat(System.nanoTime() - startAt).isGreaterThanOrEqualTo(2_345_678);
                selector.wakeup();
                fine.get().await(Long.MAX_VALUE);
                selector.selectNow();
                fine.get().await(1);
            }
        }
    }
}
