package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.console.StartCancelledException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutageTest {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final IOException STALE = new IOException("Stale file handle");

    private final Outage outage = new Outage();

    @Test
    void a_place_that_never_answered_is_a_wrong_one() {
        assertThatThrownBy(() -> outage.failed(STALE, 0)).isSameAs(STALE);
    }

    @Test
    void a_failure_is_told_once_until_the_place_answers_again() throws IOException {
        outage.answered(0);
        assertThat(outage.failed(STALE, 1)).isTrue();
        assertThat(outage.failed(STALE, 2)).isFalse();
        outage.answered(3);
        assertThat(outage.failed(STALE, 4)).isTrue();
    }

    @Test
    void after_a_minute_without_an_answer_it_is_given_up() throws IOException {
        outage.answered(5);
        assertThat(outage.failed(STALE, 5 + MINUTE)).isTrue();
        assertThatThrownBy(() -> outage.failed(STALE, 6 + MINUTE)).isSameAs(STALE);
    }

    @Test
    void another_plan_is_refused_at_once() {
        outage.answered(0);
        IOException rejected = new StartCancelledException("another plan uses it");
        assertThatThrownBy(() -> outage.failed(rejected, 1)).isSameAs(rejected);
    }
}
