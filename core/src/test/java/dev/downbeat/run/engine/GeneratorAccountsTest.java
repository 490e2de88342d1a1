package dev.downbeat.run.engine;

import static dev.downbeat.run.VirtualRun.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Rate;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.record.Interruptions.Silence;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.recorder.ResponseGapDetector;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.VirtualRun;
import dev.downbeat.run.Workload;
import dev.downbeat.run.engine.Intervals.IntervalHandover;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of the end of one request. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GeneratorAccountsTest {
    private static final RunPlan PLAN = RunPlan.builder(new Workload.Open(new Constant(Rate.perSecond(1))))
            .duration(Duration.ofSeconds(1))
            .build();

    private final ResponseGapDetector watch = new ResponseGapDetector();
    private final IntervalHandover handover = new IntervalHandover(0, List.of(), new LinkedBlockingQueue<>(), false);
    private final GeneratorAccounts books = new GeneratorAccounts(PLAN, 0, new VirtualRun(PLAN), handover, watch);

    /** Due and sent at 0, over after a second; others wait. */
    private Exchange taken() {
        Exchange exchange = new Exchange(0);
        exchange.begin(0, 0, 0);
        exchange.completedAt = 1_000 * MILLI;
        books.dispatched(exchange);
        return exchange;
    }

    private void completed(Exchange exchange, long deadlineMillis) {
        books.completed(exchange, deadlineMillis * MILLI, true);
    }

    private List<Silence> silencesUntil(long millis) {
        books.closed(millis * MILLI);
        return books.interruptions().silences();
    }

    @ParameterizedTest(name = "{0} ms of it without a message")
    @CsvSource({"0, 1", "700, 1", "990, 0"})
    void a_poll_that_waited_for_a_message_is_no_silence_of_the_queue(long idleMillis, int silences) {
        Exchange poll = taken();
        poll.idleNanos = idleMillis * MILLI;
        completed(poll, 5_000);
        assertThat(silencesUntil(1_000)).hasSize(silences);
    }

    @Test
    void a_response_at_the_deadline_is_in_time_and_a_later_one_is_not() {
        completed(taken(), 1_000);
        completed(taken(), 999);
        Recording recording = handover.active().drain();
        assertThat(recording.ledger()).isEqualTo(new Ledger(0, 1, 0, 1, 0, 0, 0));
        assertThat(recording.response().count()).isOne();
        assertThat(recording.censored().maxNanos()).isBetween(999 * MILLI, 1_000 * MILLI);
        List<KeptRequest> kept = books.keeper().kept().slowest();
        assertThat(kept).extracting(KeptRequest::responseNanos).containsExactly(1_000 * MILLI, 999 * MILLI);
        assertThat(kept).extracting(KeptRequest::isAnswered).containsExactly(true, false);
    }

    @ParameterizedTest
    @MethodSource("clientsEnds")
    void what_the_client_itself_ended_ends_no_silence(Outcome outcome) {
        Exchange ended = taken();
        ended.outcome = outcome;
        completed(ended, 5_000);
        assertThat(watch.answers()).isZero();
        assertThat(silencesUntil(1_400)).containsExactly(new Silence(0, 0, 1_400 * MILLI, 1_400 * MILLI));
    }

    static Stream<Outcome> clientsEnds() {
        return Stream.of(
                Outcome.gaveUp("no answer within 1 s"),
                Outcome.ownLimitAfterSending("too many open files"),
                Outcome.unbuilt("no value for {{id}}"));
    }

    /** The service could not answer what it was never sent. */
    @Test
    void no_service_stalls_if_nothing_could_be_sent_to_it() {
        for (Outcome outcome :
                List.of(Outcome.ownLimit("too many open files"), Outcome.unbuilt("no value for {{id}}"))) {
            Exchange unsent = taken();
            unsent.outcome = outcome;
            books.completed(unsent, 5_000 * MILLI, false);
        }
        assertThat(silencesUntil(1_400)).isEmpty();
    }

    /** Nobody knows whether the service would have answered. */
    @Test
    void a_request_that_never_reached_the_service_ends_no_silence() {
        Exchange refused = taken();
        refused.unconnected = true;
        refused.outcome = Outcome.failed("connection refused");
        completed(refused, 5_000);
        assertThat(silencesUntil(1_400)).containsExactly(new Silence(0, 0, 1_400 * MILLI, 1_400 * MILLI));
        Exchange kept = taken();
        kept.outcome = Outcome.ownLimit("too many open files");
        completed(kept, 5_000);
        assertThat(watch.answers()).isZero();
    }

    @Test
    void requests_that_end_unanswered_are_kept_with_their_age() {
        Exchange exchange = taken();
        books.timedOut(exchange, 300 * MILLI, false);
        books.timedOutUnsent(exchange, 400 * MILLI);
        books.inFlight(exchange, 500 * MILLI);
        books.neverSent(exchange, 600 * MILLI);
        books.planned(3);
        books.end(700 * MILLI, 1);
        Recording recording = handover.active().drain();
        assertThat(recording.ledger()).isEqualTo(new Ledger(4, 0, 0, 2, 1, 1, 1));
        assertThat(recording.censored().count()).isEqualTo(4);
        assertThat(books.keeper().kept().slowest())
                .extracting(KeptRequest::responseNanos)
                .containsExactly(600 * MILLI, 500 * MILLI, 400 * MILLI, 300 * MILLI);
        assertThat(books.keeper().kept().slowest()).noneMatch(KeptRequest::isAnswered);
    }
}
