package dev.downbeat.arrival;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReplayTest {
    private static final long SECOND = 1_000_000_000L;

    private static BufferedReader text(String... lines) {
        return new BufferedReader(new StringReader(String.join("\n", lines)));
    }

    private static long[] offsets(Replay replay) {
        IntendedTimes times = replay.times();
        return LongStream.generate(times::nextNanos)
                .takeWhile(nanos -> nanos != IntendedTimes.END)
                .toArray();
    }

    private static long[] offsets(String... lines) throws IOException {
        return offsets(Replay.readOffsets(text(lines), "offsets.txt"));
    }

    private static long[] log(String... lines) throws IOException {
        return offsets(Replay.readAccessLog(text(lines), "access.log"));
    }

    /** The first digits of a line are often those of an address, a file or another number. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "192.168.10.1 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5",
                "172.16.100.7 - - [10/Oct/2000:13:55:36 -0700] \"GET / HTTP/1.1\" 200 5",
                "2000-10-10T20:55:36Z,/a,200",
                "app-2000-10-10.log:2000-10-10T20:55:36Z GET /",
                "2000-10-10T20:55:36: GET /"
            })
    void a_stamp_is_found_behind_and_before_other_text(String line) throws IOException {
        assertThat(log(line, "10.100.100.5 2000-10-10T20:55:46Z")).containsExactly(0, 10_000_000_000L);
    }

    @Test
    void given_times_are_sorted_and_copied() {
        long[] given = {30, 10, 20, 20};
        Replay replay = Replay.of(given);
        given[0] = 0;

        assertThat(offsets(replay)).containsExactly(10, 20, 20, 30);
        assertThat(replay).isEqualTo(Replay.of(10, 20, 20, 30)).hasSameHashCodeAs(Replay.of(10, 20, 20, 30));
        assertThat(replay).isNotEqualTo(Replay.of(10, 20, 30));
    }

    @Test
    void offsets_are_seconds_unless_a_unit_says_otherwise() throws IOException {
        assertThat(offsets(
                        "# recorded yesterday",
                        "0.0015",
                        "1500us   # the same again",
                        "1.5 ms",
                        "",
                        "7",
                        "7ns",
                        "1e-05",
                        "0.0000000019",
                        "2m",
                        "1h",
                        "3µs"))
                .containsExactly(
                        1, 7, 3_000, 10_000, 1_500_000, 1_500_000, 1_500_000, 7 * SECOND, 120 * SECOND, 3_600 * SECOND);
    }

    @Test
    void a_byte_order_mark_is_no_part_of_the_first_offset() throws IOException {
        assertThat(offsets("\uFEFF1", "2")).containsExactly(SECOND, 2 * SECOND);
    }

    @Test
    void an_offset_beyond_the_range_of_a_long_is_never_reached() throws IOException {
        assertThat(offsets("1", "999999999999999h")).containsExactly(SECOND);
        assertThat(offsets(Replay.of(5, Long.MAX_VALUE / 2 + 1).scaled(1, 2))).containsExactly(10);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1,5", "abc", "1 parsec", "1e999", ".", "0x10", "1 2", "9999999999999999999"})
    void a_line_that_is_no_offset_is_named(String line) {
        assertThatThrownBy(() -> offsets("0.5", "# fine", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offsets.txt, line 3: expected an offset such as 0.0015, 1500us or 1.5 ms, but was \""
                        + line + "\"");
    }

    @Test
    void a_recording_of_nothing_is_refused() {
        assertThatThrownBy(() -> offsets("# nothing", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("offsets.txt: expected at least 1 recorded time, but found 0");
        assertThatThrownBy(ReplayTest::log).hasMessage("access.log: expected at least 1 recorded time, but found 0");
    }

    @Test
    void a_compressed_log_is_refused_as_such() {
        assertThatThrownBy(() -> log("\u001f\u008b\b", "x"))
                .hasMessage("access.log is compressed: unpack it first, as with gunzip");
    }

    @Test
    void lines_with_the_same_stamp_share_its_second_evenly() throws IOException {
        assertThat(log(
                        "127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] \"GET /a?at=2001-01-01T00:00:00Z HTTP/1.0\" 200 2326",
                        "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /b HTTP/1.0\" 200 2 \"-\" \"curl 1700000000.123\"",
                        "",
                        "127.0.0.1 - - [10/Oct/2000:13:55:38 -0700] \"GET /c HTTP/1.0\" 200 23",
                        "127.0.0.1 - - [10/Oct/2000:21:55:36 +0100] \"GET /d HTTP/1.0\" 200 23",
                        "127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] \"GET /e HTTP/1.0\" 200 23"))
                .containsExactly(0, SECOND / 4, SECOND / 2, SECOND * 3 / 4, 2 * SECOND);
    }

    @Test
    void stamps_of_milliseconds_share_milliseconds() throws IOException {
        assertThat(log("1700000000.123 200 /a", "1700000000.123 200 /b", "1700000001.000 200 /c"))
                .containsExactly(0, 500_000, 877_000_000);
    }

    @Test
    void the_resolution_is_the_finest_in_the_file() throws IOException {
        assertThat(log(
                        "2024-02-29T23:59:59Z GET /",
                        "2024-02-29T23:59:59Z GET /",
                        "2024-02-29T23:59:59.250Z GET /",
                        "2024-03-01T01:00:00,5+01:00 GET /",
                        "2024-02-29 19:00:01-0500 GET /",
                        "2024-02-29 19:00:02-05 GET /",
                        "2024-03-01 01:00:03 +0100 GET /",
                        "2024-02-29 19:00:04 -05 GET /",
                        "2024-03-01 00:00:05 - GET /",
                        "2024-03-01 00:00:06 200 GET /",
                        "2024-03-01 00:00:07 -1 GET /",
                        "2024-03-01 00:00:08 +3.5 GET /",
                        "2024-03-01 01:00:09 +01:00 GET /"))
                .containsExactly(
                        0,
                        500_000,
                        250_000_000,
                        1_500_000_000,
                        2 * SECOND,
                        3 * SECOND,
                        4 * SECOND,
                        5 * SECOND,
                        6 * SECOND,
                        7 * SECOND,
                        8 * SECOND,
                        9 * SECOND,
                        10 * SECOND);
    }

    @Test
    void lines_out_of_order_are_sorted() throws IOException {
        assertThat(log("1700000002.000 a", "1700000000.000 b", "1700000001.000 c"))
                .containsExactly(0, SECOND, 2 * SECOND);
    }

    @Test
    void a_line_without_a_stamp_is_named_with_what_was_expected() {
        assertThatThrownBy(() -> log("GET / 200"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "access.log, line 1: expected a valid time stamp before 2262, such as [10/Oct/2000:13:55:36 -0700], "
                                + "2000-10-10T13:55:36.123Z or 1700000000.123, but was \"GET / 200\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- [31/Feb/2000:13:55:36 -0700] -",
                "- [10/Okt/2000:13:55:36 -0700] -",
                "- [10/Oct/2000:24:55:36 -0700] -",
                "2023-02-29T23:59:59Z",
                "2023-02-28T23:59:59+99:00",
                "9999-02-28T23:59:59Z"
            })
    void a_date_that_does_not_exist_is_named(String line) {
        assertThatThrownBy(() -> log("", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("access.log, line 2: expected a valid time stamp before 2262, such as")
                .hasMessageEndingWith("but was \"" + line + "\"");
    }

    @Test
    void an_empty_field_is_no_stamp() {
        assertThat(new LogStamps().parseField(new byte[0], 0, 0)).isEqualTo(LogStamps.NONE);
    }

    @Test
    void a_long_line_is_cut_in_the_message() {
        assertThatThrownBy(() -> log("x".repeat(10_000))).hasMessageEndingWith("x...\"");
    }

    @Test
    void stamps_too_far_apart_are_refused() {
        assertThatThrownBy(() -> log("1700-01-01T00:00:00Z", "2200-01-01T00:00:00Z"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("access.log: time stamps must lie within 292 years of each other");
    }

    @Test
    void scaling_divides_every_offset() {
        Replay replay = Replay.of(0, 10, 25, Long.MAX_VALUE - 1);

        assertThat(offsets(replay.scaled(3, 2))).containsExactly(0, 6, 16, (Long.MAX_VALUE - 1) / 3 * 2);
        assertThat(replay.scaled(7, 7)).isEqualTo(replay);
        assertThatThrownBy(() -> replay.scaled(0, 1))
                .hasMessage("factor must be at least 1 over at least 1, but was 0/1");
    }

    @Test
    void a_recording_kept_elsewhere_is_scaled_while_it_is_read() {
        RecordedTimes elsewhere = new RecordedTimes() {
            @Override
            public int count() {
                return 1_000;
            }

            @Override
            public long digest() {
                return 7;
            }

            @Override
            public Reader reader() {
                return (first, into) -> {
                    int read = Math.min(into.length, count() - first);
                    Arrays.setAll(into, i -> i < read ? (first + i) * 6L : -1);
                    return read;
                };
            }
        };
        Replay replay = Replay.of(elsewhere).scaled(1, 2).scaled(3, 1);

        assertThat(offsets(replay))
                .isEqualTo(LongStream.range(0, 1_000).map(i -> i * 4).toArray());
        assertThat(replay.recorded()).isSameAs(elsewhere);
        assertThat(replay.numerator()).isEqualTo(3);
        assertThat(replay.denominator()).isEqualTo(2);
        assertThat(replay).isNotEqualTo(Replay.of(elsewhere)).hasToString("replay of 1,000 recorded times");
        assertThat(replay.hashCode()).isNotEqualTo(Replay.of(1).hashCode());
        IntendedTimes last = replay.times(6, 7);
        assertThat(last.nextNanos()).isEqualTo(24);
        assertThat(last.nextNanos()).isEqualTo(52);
    }

    @Test
    void a_saved_result_knows_a_recording_without_having_its_times() {
        Replay known = Replay.of(
                new RecordedTimes.Elsewhere(2, Replay.of(1, 2).recorded().digest()));

        assertThat(known).isEqualTo(Replay.of(1, 2)).isNotEqualTo(Replay.of(1, 3));
        assertThat(offsets(known)).isEmpty();
        assertThatThrownBy(() -> new RecordedTimes.Elsewhere(-1, 0)).hasMessage("count must be at least 0, but was -1");
        assertThat(new RecordedTimes.Elsewhere(0, 0).count()).isZero();
    }

    @Test
    void a_share_that_does_not_exist_is_refused() {
        assertThatThrownBy(() -> Replay.of(1).times(2, 2)).hasMessage("share must be from 0 to 1 of 2, but was 2");
    }

    @Test
    void a_negative_offset_is_refused() {
        assertThatThrownBy(() -> Replay.of(1, -2)).hasMessage("offsetsNanos must be at least 0, but one was -2");
    }

    @Test
    void it_describes_itself() {
        assertThat(Replay.of(1, 2).describe()).isEqualTo("replay of 2 recorded times");
        assertThat(Replay.of(1).describe()).isEqualTo("replay of 1 recorded time");
        assertThat(Replay.of(1, 2).kind()).isEqualTo("replay");
    }
}
