package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopbackOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 70000 | port must be from 0 to 65535, but was 70000",
                "--status 100 | status must be from 200 to 599, but was 100",
                "--body-size -1 | body-size must be from 0 to 104857600, but was -1",
                "--concurrency -1 | concurrency must be from 0 to 100000, but was -1",
                "--accept-queue 0 | accept-queue must be from 1 to 65535, but was 0",
                "--body-time 0ms | body-time must be from 1ns to 24h, but was 0s",
                "--certificate ec | a certificate key is used with TLS only: add tls or leave out certificate",
                "--unix-socket s --port 80 | a Unix socket has no port: leave out unix-socket or port",
                "--unix-socket s --tls | TLS is served over TCP only: leave out unix-socket or tls",
                "--unix-socket s --misbehave reset | a Unix socket cannot be reset: leave out unix-socket or use close-without-answer",
                "--close-silently | close-silently says how to close but not when: add close-after or leave out close-silently",
                "--status 204 --misbehave chunked | status 204 has no body, so it cannot be sent as chunked",
            })
    void impossible_values_are_refused_in_one_line(String line, String message) {
        assertThatThrownBy(() -> OptionWords.parse(List.of(line.split(" "))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void an_unknown_misbehaviour_is_answered_with_all_that_are_known() {
        assertThatThrownBy(() -> Misbehaviour.parse("sulk"))
                .hasMessageStartingWith("misbehaviour must be one of none, reset, close-without-answer, garbage, ")
                .hasMessageContaining(", cut-frames, data-on-stream-0, ")
                .hasMessageEndingWith(", interim-flood, but was \"sulk\"");
    }
}
