package dev.downbeat.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterruptionTest {
    private final Interruption interruption = new Interruption();

    @Test
    void the_end_of_a_process_that_has_written_everything_is_no_signal() {
        interruption.finished();
        interruption.atShutdown();
        assertThat(interruption.isReceived()).isFalse();
        assertThat(interruption.exitCode()).isZero();
    }

    @Test
    void an_end_counts_once_and_what_begins_afterwards_ends_at_once() {
        List<String> ended = new ArrayList<>();
        interruption.onFirst(() -> ended.add("first"));
        assertThat(ended).isEmpty();
        interruption.stop();
        interruption.stop();
        assertThat(ended).containsExactly("first");
        assertThat(interruption.exitCode()).isEqualTo(130);
        interruption.onFirst(() -> ended.add("second"));
        assertThat(ended).containsExactly("first", "second");
    }
}
