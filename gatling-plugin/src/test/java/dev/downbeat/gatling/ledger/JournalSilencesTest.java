package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** When the books of a run say that a service was silent, on instants that are made up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JournalSilencesTest {
    /** Throttled waits are the rule, and the service freezes for 3.7 s, after a client that took 3 s to start. */
    @Test
    void silences_are_those_of_the_service_and_not_of_a_throttle_or_a_start() {
        Journal journal = new Journal(0, true);
        List<IntendedRequest> held = new ArrayList<>();
        for (long millis = 0; millis < 20_000; millis += 10) {
            IntendedRequest intent = journal.plan(millis * 1_000_000, 0);
            intent.dispatch(millis * 1_000_000);
            long sentAt = (millis + 500) * 1_000_000;
            intent.send(sentAt);
            journal.sent(intent, sentAt);
            held.add(intent);
            boolean frozen = millis < 2_500 || (millis >= 10_000 && millis < 13_700);
            if (!frozen) {
                held.forEach(each -> journal.answered(each, sentAt + 1_000_000));
                held.clear();
            }
        }
        journal.end(21_000_000_000L);
        assertThat(journal.interruptions().startingNanos()).isEqualTo(3_001_000_000L);
        assertThat(journal.interruptions().silences())
                .extracting(silence -> silence.toNanos() - silence.fromNanos())
                .contains(3_701_000_000L)
                .hasSize(2);
    }

    @Test
    void a_poll_that_waits_for_a_message_is_no_silence() {
        long poll = 20_000_000_000L;
        Journal journal = new Journal(0, true);
        for (long at = 0; at < 3 * poll; at += poll) {
            IntendedRequest intent = journal.plan(at, 0);
            intent.send(at);
            journal.sent(intent, at);
            Exchange seen = new Exchange(0);
            seen.begin(at, at, at);
            seen.idleNanos = poll - 5_000_000;
            seen.firstByteAt = at + poll;
            intent.setTransportTiming(seen);
            journal.answered(intent, at + poll);
        }
        journal.end(3 * poll);
        assertThat(journal.interruptions().silences()).isEmpty();
        assertThat(journal.interruptions().startingNanos()).isLessThan(100_000_000);
        assertThat(journal.timeline().total().response().maxNanos()).isBetween(4_900_000L, 5_100_000L);
    }
}
