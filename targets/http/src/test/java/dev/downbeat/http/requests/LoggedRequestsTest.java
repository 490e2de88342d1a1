package dev.downbeat.http.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.http.HttpEndpoint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoggedRequestsTest {
    private static LoggedLines read(String log) {
        return LoggedLines.read(ByteBuffer.wrap(log.getBytes(StandardCharsets.ISO_8859_1)), "access.log", 3);
    }

    private static String line(LoggedLines lines, int index) {
        LoggedRequests requests = new LoggedRequests(HttpEndpoint.parse("http://h:1/"), lines, List.of());
        return Written.write(requests.writer(1, false), Written.exchange(index, 0))
                .lines()
                .findFirst()
                .orElseThrow();
    }

    @Test
    void each_line_gives_its_method_and_path_in_the_order_of_their_times() {
        LoggedLines lines = read("""
                1.1.1.1 - - [10/Oct/2025:13:55:37 +0000] "POST /b?x=1 HTTP/1.1" 200 5 "-" "agent"
                1.1.1.1 - ann [10/Oct/2025:13:55:36 +0000] "GET /a/17 HTTP/1.1" 200 5
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "\\x16\\x03" 400 5
                1.1.1.1 - - [10/Oct/2025:13:55:38 +0000] "GET /a/18?q=\u00e9 HTTP/1.1" 200 5
                """);
        assertThat(lines.count()).isEqualTo(3);
        assertThat(line(lines, 0)).isEqualTo("GET /a/17 HTTP/1.1");
        assertThat(line(lines, 1)).isEqualTo("POST /b?x=1 HTTP/1.1");
        assertThat(line(lines, 2)).isEqualTo("GET /a/18?q=%E9 HTTP/1.1");
        assertThat(lines.names()).containsExactlyInAnyOrder("GET /a/{id}", "POST /b");
        assertThat(lines.notes())
                .containsExactly(
                        "access.log: 1 of 4 lines have no time or no request and are left out; the first is line 3",
                        "access.log: its stamps are whole seconds; requests are spread at random within each");
    }

    @Test
    void stamps_finer_than_a_second_are_kept() {
        LoggedLines lines = read("""
                2025-10-10T13:55:36.250+0000 GET /a
                2025-10-10T13:55:36.750Z "GET /b HTTP/1.1"
                """);
        assertThat(lines.times()).isEqualTo(Replay.of(0, 500_000_000L));
        assertThat(read("{\"t\":1700000000.125,\"request\":\"GET /a HTTP/2.0\"}\n")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void of_a_whole_second_and_nginxs_milliseconds_the_milliseconds_count() {
        LoggedLines lines = read("""
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] 1760104536.125 "GET /a?t=1760104536.999 HTTP/1.1" 200
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] "GET /b?t=1760104536.999 HTTP/1.1" 200 1760104536.375
                1.1.1.1 - - [10/Oct/2025:13:55:36 +0000] 1560104536.125 "GET /c HTTP/1.1" 200 1760104536.500
                """);
        assertThat(lines.times()).isEqualTo(Replay.of(0, 250_000_000L, 375_000_000L));
        assertThat(lines.notes()).isEmpty();
    }

    @Test
    void whole_seconds_are_spread_over_their_second() {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            log.append("[10/Oct/2025:13:55:3").append(i / 1_000).append(" +0000] \"GET / HTTP/1.1\"\n");
        }
        IntendedTimes times = read(log.toString()).times().times();
        long[] bySlice = new long[30];
        for (long at = times.nextNanos(); at < 3_000_000_000L; at = times.nextNanos()) {
            bySlice[(int) (at / 100_000_000L)]++;
        }
        for (long count : bySlice) {
            assertThat(count).isBetween(50L, 160L); // 100 on average, 10 the deviation
        }
    }

    @Test
    void a_log_without_requests_is_refused() {
        assertThatThrownBy(() -> read("2025-10-10T13:55:36Z\n")).hasMessageContaining("say --times-only");
    }
}
