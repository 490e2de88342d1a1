package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OpenFilesTest {
    @Test
    void more_connections_than_the_limit_allows_are_named_with_the_remedy() {
        assertThat(OpenFiles.shortage(50_000, 20_000, 36))
                .contains("50,000 connections need 50,100 open files, and the limit of this process is 20,000: "
                        + "raise it (ulimit -n 50100), or open fewer");
    }

    @Test
    void what_fits_and_a_limit_that_is_unknown_are_no_shortage() {
        assertThat(OpenFiles.shortage(900, 1_024, 60)).isEmpty();
        assertThat(OpenFiles.shortage(901, 1_024, 60)).isPresent();
        assertThat(OpenFiles.shortage(50_000, -1, 60)).isEmpty();
    }
}
