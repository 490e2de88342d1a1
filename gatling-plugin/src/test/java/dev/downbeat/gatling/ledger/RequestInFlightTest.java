package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.record.Ledger;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestInFlightTest {
    private static final long START = 1_000;
    private static final long END = START + 500;

    private final Journal journal = new Journal(START, true);
    private final RequestInFlight request = new RequestInFlight(sent(), journal);

    private IntendedRequest sent() {
        IntendedRequest intent = journal.plan(START + 100, 1);
        intent.send(START + 200);
        journal.sent(intent, START + 200);
        return intent;
    }

    private Ledger ended() {
        journal.end(START + 1_000);
        return journal.timeline().total().ledger();
    }

    @Test
    void a_request_ends_as_Gatling_logs_it_unless_it_timed_out() {
        request.endedAt(
                END, true, () -> assertThat(request.settle(false, "timeout")).isEqualTo(400));
        RequestInFlight answered = new RequestInFlight(sent(), journal);
        answered.endedAt(END, false, () -> answered.settle(true, ""));
        RequestInFlight failed = new RequestInFlight(sent(), journal);
        failed.endedAt(END, false, () -> failed.settle(false, "HTTP 503"));
        Ledger ledger = ended();
        assertThat(ledger.planned()).isEqualTo(3);
        assertThat(ledger.timedOut()).isEqualTo(1);
        assertThat(ledger.answered()).isEqualTo(1);
        assertThat(ledger.failed()).isEqualTo(1);
    }

    @Test
    void the_first_byte_of_a_response_is_kept() {
        long startAt = System.nanoTime();
        Journal now = new Journal(startAt, true);
        IntendedRequest intent = now.plan(startAt, 1);
        intent.send(startAt);
        RequestInFlight answered = new RequestInFlight(intent, now);
        long from = System.nanoTime() - startAt;
        answered.firstByte();
        long to = System.nanoTime() - startAt;
        answered.endedAt(System.nanoTime(), false, () -> answered.settle(true, ""));
        now.end(System.nanoTime());
        assertThat(now.kept().slowest())
                .singleElement()
                .satisfies(kept -> assertThat(kept.firstByteNanos()).isBetween(from, to));
    }

    @Test
    void a_request_that_Gatling_does_not_log_is_not_counted() {
        request.endedAt(END, false, () -> assertThat(RequestInFlight.current()).isSameAs(request));
        assertThat(RequestInFlight.current()).isNull();
        assertThat(ended().planned()).isZero();
    }

    @Test
    void a_request_whose_end_throws_has_failed() {
        assertThatThrownBy(() -> request.endedAt(END, false, () -> {
                    throw new IllegalStateException("a check is broken");
                }))
                .hasMessage("a check is broken");
        assertThat(RequestInFlight.current()).isNull();
        assertThat(ended().failed()).isEqualTo(1);
    }

    @Test
    void within_the_end_of_another_each_is_the_current_one_until_it_is_logged() {
        RequestInFlight inner = new RequestInFlight(sent(), journal);
        request.endedAt(END, false, () -> {
            inner.endedAt(END, false, () -> {
                assertThat(RequestInFlight.current()).isSameAs(inner);
                inner.settle(true, "");
                assertThat(RequestInFlight.current()).isNull();
            });
            assertThat(RequestInFlight.current()).isSameAs(request);
            request.settle(true, "");
        });
        List<String> told = new ArrayList<>();
        request.endedAt(END, false, () -> told.add("over already, as " + RequestInFlight.current()));
        assertThat(told).containsExactly("over already, as null");
        assertThat(ended().answered()).isEqualTo(2);
    }
}
