package dev.downbeat.audit.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InstantsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "2023-11-14T22:13:20Z, 1700000000000000000, Z",
        "2023-11-14T23:13:20.000000007+01:00, 1700000000000000007, +01:00",
        "' 2023/11/14 22:13:20.021 ', 1700000000021000000,",
        "2023-11-14 22:13:20.021, 1700000000021000000,",
        "2023/11/14 22:13:20, 1700000000000000000,",
        "2023-11-14 22:13:20, 1700000000000000000,",
        "2023-11-14T22:13:20.021, 1700000000021000000,",
        "2023-11-14T22:13:20, 1700000000000000000,",
        "2023-11-14 22:13:20.0210, 1700000000021000000,",
        "2023/11/14 22:13:20.000000007, 1700000000000000007,"
    })
    void a_time_is_read_as_tools_write_it(String text, long nanos, @Nullable String offset) {
        List<Optional<ZoneOffset>> zones = new ArrayList<>();
        assertThat(Instants.of(text, zones::add)).isEqualTo(nanos);
        assertThat(zones).containsExactly(Optional.ofNullable(offset).map(ZoneOffset::of));
    }

    @Test
    void what_is_no_time_is_refused_with_its_first_characters() {
        assertThatThrownBy(() -> Instants.of("noon", zone -> {})).hasMessage("'noon' is not a time");
        assertThatThrownBy(() -> Instants.of("x".repeat(41), zone -> {}))
                .hasMessage("'" + "x".repeat(40) + "' is not a time");
    }

    @ParameterizedTest(name = "{0}: {1} ns")
    @CsvSource({
        "99999999999, 1000000000",
        "-99999999999, 1000000000",
        "100000000000, 1000000",
        "99999999999999, 1000000",
        "100000000000000, 1000",
        "99999999999999999, 1000",
        "100000000000000000, 1",
        "-100000000000000000, 1"
    })
    void the_number_of_digits_tells_the_unit_of_a_timestamp(long number, long nanos) {
        assertThat(Instants.unitOf(number)).isEqualTo(nanos);
    }
}
