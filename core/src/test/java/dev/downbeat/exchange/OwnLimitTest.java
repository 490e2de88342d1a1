package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.SocketException;
import java.sql.SQLException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OwnLimitTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            Too many open files                                                            | OPEN_FILES
            Cannot run program "sh": error=24, Zu viele offene Dateien                     | OPEN_FILES
            Cannot assign requested address                                                | LOCAL_PORTS
            Address already in use                                                         | LOCAL_PORTS
            No buffer space available                                                      | MEMORY
            Cannot run program "sh": error=12, Cannot allocate memory                      | MEMORY
            Cannot run program "sh": error=11, Resource temporarily unavailable            | PROCESSES
            Cannot run program "sh": Exec failed, error: 11 (Resource temporarily unavailable) | PROCESSES
            """)
    void the_words_of_the_system_name_a_limit(String message, OwnLimit limit) {
        assertThat(OwnLimit.of(new IOException(message))).contains(limit);
    }

    @ParameterizedTest
    @EnumSource
    void its_own_reason_names_it_too(OwnLimit limit) {
        assertThat(OwnLimit.in(limit.reason())).contains(limit);
        assertThat(limit.outcome()).isEqualTo(Outcome.ownLimit(limit.reason()));
    }

    @Test
    void any_cause_counts_that_the_system_threw() {
        IOException bind = new BindException("Cannot assign requested address");
        assertThat(OwnLimit.of(new SQLException("cannot connect", "08001", bind)))
                .contains(OwnLimit.LOCAL_PORTS);
        assertThat(OwnLimit.of(new UncheckedIOException(bind))).contains(OwnLimit.LOCAL_PORTS);
        assertThat(OwnLimit.of(new OutOfMemoryError("unable to create native thread: possibly out of memory")))
                .contains(OwnLimit.PROCESSES);
    }

    @Test
    void what_a_server_or_a_full_queue_says_is_no_limit_of_ours() {
        assertThat(OwnLimit.of(new SQLException("could not open file: Too many open files", "53000")))
                .isEmpty();
        assertThat(OwnLimit.of(new SocketException("Resource temporarily unavailable")))
                .isEmpty();
        assertThat(OwnLimit.of(new OutOfMemoryError("Java heap space"))).isEmpty();
        assertThat(OwnLimit.of(new IOException())).isEmpty();
    }

    /** Such as the texts of another load generator, which may quote a server. */
    @Test
    void a_number_of_an_error_counts_only_of_a_program_that_could_not_be_started() {
        assertThat(OwnLimit.in("rejected, error=24, no more processes to do")).isEmpty();
        assertThat(OwnLimit.of(new IOException("Cannot run program \"sh\": error=240, unknown")))
                .isEmpty();
    }

    @Test
    void causes_that_form_a_circle_end() {
        Exception one = new Exception("one");
        one.initCause(new Exception("two", one));
        assertThat(OwnLimit.of(one)).isEmpty();
    }
}
