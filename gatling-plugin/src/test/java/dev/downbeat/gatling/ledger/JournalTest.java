package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.downbeat.gatling.report.PaceComparison;
import dev.downbeat.gatling.settings.PaceMode;
import dev.downbeat.record.KeptRequests;
import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.render.Page;
import dev.downbeat.selfcheck.DelayTotals;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The books of a run, on instants that are made up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JournalTest {
    /** The clock overflows during the run. */
    private static final long START = Long.valueOf(Long.MAX_VALUE) - 500;

    private final Journal journal = new Journal(START, true);

    private Recording ended(long endAt) {
        journal.end(endAt);
        return journal.timeline().total();
    }

    @Test
    void a_response_counts_from_the_intended_time() {
        IntendedRequest intent = journal.plan(START + 100, 1);
        intent.send(START + 400);
        journal.answered(intent, START + 1_000);
        Recording recording = ended(START + 2_000);
        assertThat(recording.response().maxNanos()).isEqualTo(900);
        assertThat(recording.service().maxNanos()).isEqualTo(600);
        assertThat(recording.lateness().maxNanos()).isEqualTo(300);
    }

    @Test
    void a_pause_after_a_late_iteration_does_not_hide_our_own_delay() {
        IntendedRequest intent = journal.plan(START, 1);
        intent.heldBackUntil(START + 200); // the previous response was late
        journal.move(intent, START + 500);
        intent.send(START + 600);
        journal.answered(intent, START + 700);
        assertThat(ended(START + 1_000).lateness().maxNanos()).isEqualTo(100);
    }

    @Test
    void the_text_of_a_failed_check_is_no_failure_to_connect() {
        IntendedRequest intent = sent(START, START);
        intent.responded();
        journal.failed(intent, START + 100, "expected ok, but found ConnectException: Too many open files");
        Ledger ledger = ended(START + 1_000).ledger();
        assertThat(ledger.failed()).isEqualTo(1);
        assertThat(ledger.unconnected()).isZero();
        assertThat(ledger.neverSent()).isZero();
    }

    @Test
    void what_leaves_in_a_bunch_after_a_pause_of_ours_may_be_slow_for_our_sake() {
        long step = 10_000_000;
        for (int i = 0; i < 100; i++) { // one at a time, each takes half a step
            long dueAt = START + i * step;
            journal.answered(sent(dueAt, dueAt), dueAt + step / 2);
        }
        long wokeAt = START + 200 * step;
        List<IntendedRequest> bunch = IntStream.range(100, 200) // the last that was due leaves first
                .mapToObj(i -> sent(START + (299 - i) * step, wokeAt))
                .toList();
        IntendedRequest behind = sent(wokeAt + step, wokeAt + step);
        for (int i = 0; i < 100; i++) { // one is served after the other
            journal.answered(bunch.get(i), wokeAt + (i + 1) * step / 2);
        }
        journal.answered(behind, wokeAt + 51 * step);
        IntendedRequest prompt = sent(wokeAt + 52 * step, wokeAt + 52 * step);
        journal.answered(prompt, wokeAt + 60 * step); // this one is the service's
        Recording recording = ended(START + 400 * step);
        assertThat(recording.response().valueAtPercentile(90)).isGreaterThan(80 * step);
        assertThat(recording.responseWithoutOwnDelay().valueAtPercentile(99)).isLessThan(step);
        assertThat(recording.responseWithoutOwnDelay().maxNanos()).isCloseTo(8 * step, withinPercentage(1));
    }

    private IntendedRequest sent(long dueAt, long sentAt) {
        IntendedRequest intent = journal.plan(dueAt, 1);
        intent.send(sentAt);
        journal.sent(intent, sentAt);
        return intent;
    }

    @Test
    void what_Gatlings_pace_leaves_out_is_counted_once_more() {
        for (int i = 0; i < 5; i++) {
            IntendedRequest intent = journal.plan(START + 100L * i, 1);
            if (i > 1) {
                intent.overdue();
            }
            if (i < 4) {
                intent.send(START + 500);
            }
            if (i < 3) {
                journal.answered(intent, START + 600);
            }
        }
        journal.missed(START + 600, START + 700, IntendedRequest.SKIPPED);
        Recording all = ended(START + 1_000);
        Recording overdue = journal.overdue();
        assertThat(overdue.ledger()).isEqualTo(new Ledger(4, 1, 0, 0, 0, 1, 2, 0));
        assertThat(all.ledger()).isEqualTo(new Ledger(6, 3, 0, 0, 0, 1, 2, 0));
        Recording byGatlingsPace = new PaceComparison(all, overdue, PaceMode.CATCH_UP, 1)
                .byGatlingsPace()
                .orElseThrow();
        assertThat(byGatlingsPace.ledger()).isEqualTo(new Ledger(2, 2, 0, 0, 0, 0, 0, 0));
        assertThat(byGatlingsPace.response().maxNanos()).isEqualTo(600);
        assertThat(byGatlingsPace.censored().isEmpty()).isTrue();
        Page.Section section =
                new PaceComparison(all, overdue, PaceMode.CATCH_UP, 1).section().orElseThrow();
        assertThat(section.leads())
                .containsExactly("Requests due while their user was still waiting: 4, of which 2 were sent late and the"
                        + " others never. Gatling's own pace omits them.");
        assertThat(new PaceComparison(all, Recording.empty(), PaceMode.CATCH_UP, 1).section())
                .isEmpty();
    }

    @Test
    void skipped_iterations_were_never_sent_and_late_ones_all_were() {
        journal.missed(START + 100, START + 700, IntendedRequest.SKIPPED);
        Recording skipped = ended(START + 1_000);
        Page.Section never = new PaceComparison(skipped, journal.overdue(), PaceMode.SKIP_AND_COUNT, 1)
                .section()
                .orElseThrow();
        assertThat(never.leads()).singleElement().asString().contains("waiting: 1, never sent. ");
        assertThat(never.remarks()).singleElement().asString().contains("(skipAndCount)", "the time it had waited");
        Journal other = new Journal(START, true);
        IntendedRequest late = other.plan(START + 100, 1);
        late.overdue();
        late.send(START + 500);
        other.answered(late, START + 600);
        other.end(START + 1_000);
        Page.Section sent = new PaceComparison(other.timeline().total(), other.overdue(), PaceMode.CATCH_UP, 1)
                .section()
                .orElseThrow();
        assertThat(sent.leads()).singleElement().asString().contains("waiting: 1, sent late. ");
        assertThat(sent.remarks()).singleElement().asString().contains("(catchUp)", "also loaded the service");
    }

    @Test
    void a_request_that_timed_out_or_was_given_up_unsent_was_late_all_the_time() {
        journal.timedOut(sent(START + 100, START + 150), START + 600);
        journal.timedOut(journal.plan(START + 200, 2), START + 700);
        journal.neverSent(journal.plan(START + 300, 3), START + 900);
        Recording recording = ended(START + 1_000);
        Ledger ledger = recording.ledger();
        assertThat(ledger.planned()).isEqualTo(3);
        assertThat(ledger.timedOut()).isEqualTo(2);
        assertThat(ledger.timedOutUnsent()).isEqualTo(1);
        assertThat(ledger.neverSent()).isEqualTo(1);
        assertThat(ledger.addsUp()).isTrue();
        assertThat(recording.censored().minNanos()).isEqualTo(500);
        assertThat(recording.censored().maxNanos()).isEqualTo(600);
        assertThat(recording.lateness().minNanos()).isEqualTo(50);
        assertThat(recording.lateness().maxNanos()).isEqualTo(600);
    }

    @Test
    void a_request_that_could_not_be_built_has_failed_and_answers_nothing() {
        long second = 1_000_000_000;
        sent(START, START);
        for (int i = 1; i < 10; i++) {
            journal.unbuilt(journal.plan(START + i * second, 2), START + i * second, "request not built: no key");
        }
        Recording recording = ended(START + 10 * second);
        assertThat(recording.ledger()).isEqualTo(new Ledger(10, 0, 9, 0, 0, 1, 0, 9));
        assertThat(recording.failed().isEmpty()).isTrue();
        assertThat(recording.failures()).containsEntry("request not built: no key", 9L);
        assertThat(journal.kept().slowest()).hasSize(1);
        assertThat(journal.interruptions().silences()).as("of the service").hasSize(1);
    }

    @Test
    void requests_with_nothing_to_send_are_no_silence_of_the_service() {
        long half = 500_000_000;
        for (int i = 0; i < 10; i++) {
            journal.unbuilt(sent(START + i * half, START + i * half), START + i * half + 1_000, "no such queue");
        }
        journal.answered(sent(START + 10 * half, START + 10 * half), START + 10 * half + 1_000_000);
        assertThat(ended(START + 11 * half).ledger()).isEqualTo(new Ledger(11, 1, 10, 0, 0, 0, 0, 10));
        assertThat(journal.interruptions().silences()).isEmpty();
    }

    @Test
    void what_Gatling_keeps_silent_about_is_not_counted_but_what_breaks_there_is() {
        RequestInFlight silent = new RequestInFlight(journal.plan(START + 100, 1), journal);
        silent.endedAt(START + 200, false, () -> {});
        RequestInFlight broken = new RequestInFlight(journal.plan(START + 100, 1), journal);
        assertThatThrownBy(() -> broken.endedAt(START + 200, false, () -> {
                    throw new NoClassDefFoundError("no file descriptor is left");
                }))
                .isInstanceOf(NoClassDefFoundError.class);
        Ledger ledger = ended(START + 1_000).ledger();
        assertThat(ledger.planned()).isEqualTo(1);
        assertThat(ledger.failed()).isEqualTo(1);
    }

    @Test
    void requests_unsent_due_to_own_limits_are_not_service_failures() {
        IntendedRequest intent = journal.plan(START + 100, 1);
        intent.send(START + 110);
        journal.failed(intent, START + 120, "newSocketStream(..) failed with error(-24): Too many open files");
        Recording recording = ended(START + 1_000);
        assertThat(recording.ledger().failed()).isZero();
        assertThat(recording.ledger().neverSent()).isEqualTo(1);
        assertThat(recording.tallies().ownLimits()).hasSize(1);
    }

    @Test
    void requests_are_kept_in_full_with_what_became_of_them() {
        for (int i = 0; i < 4; i++) {
            IntendedRequest intent = journal.plan(START + 100L * i, 1);
            if (i < 3) {
                intent.send(START + 100L * i + 10);
            }
            if (i == 0) {
                journal.answered(intent, START + 700);
            } else if (i == 1) {
                journal.failed(intent, START + 900, "status 500");
            }
        }
        journal.end(START + 1_000);
        KeptRequests kept = journal.kept();
        assertThat(kept.slowest().stream().map(KeptRequest::responseNanos)).containsExactly(800L, 800L, 700L, 700L);
        assertThat(kept.controls().stream().map(KeptRequest::isAnswered)).containsExactly(true, false, false, false);
        assertThat(kept.controls().get(0).intendedNanos()).isZero();
    }

    @Test
    void a_throttle_is_a_backlog_and_no_lateness() {
        IntendedRequest intent = journal.plan(START + 100, 1);
        intent.dispatch(START + 110);
        intent.send(START + 900);
        journal.answered(intent, START + 1_000);
        Recording recording = ended(START + 2_000);
        assertThat(recording.lateness().maxNanos()).isEqualTo(10);
        assertThat(recording.backlogWait().maxNanos()).isEqualTo(790);
    }

    /** No response frees a place in it. What this process was delayed meanwhile may have made it longer. */
    @Test
    void a_wait_for_a_throttle_is_not_ours_but_for_delays_of_this_process() {
        long[] delayedNanos = {0};
        journal.watchDelays(new DelayTotals() {
            @Override
            public long runDelayNanos() {
                return -1;
            }

            @Override
            public long hiccupNanos() {
                return delayedNanos[0];
            }

            @Override
            public long gcNanos() {
                return 0;
            }
        });
        IntendedRequest intent = journal.plan(START, 1);
        IntendedRequest unsent = journal.plan(START + 800, 2);
        journal.held(intent, START);
        delayedNanos[0] = 150;
        journal.released(intent, START + 1_000);
        intent.send(START + 1_000);
        journal.answered(intent, START + 1_010);
        journal.held(unsent, START + 800);
        Recording recording = ended(START + 1_100);
        assertThat(journal.timeline().intervals().get(0).strain().isStarved()).isTrue();
        assertThat(recording.response().maxNanos()).isEqualTo(1_010);
        assertThat(recording.responseWithoutOwnDelay().maxNanos()).isEqualTo(860);
        assertThat(recording.responseWithoutOwnDelay().minNanos()).isEqualTo(300);
    }

    @Test
    void an_end_waits_for_an_interval_that_is_being_kept() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            Journal books = new Journal(START, true);
            for (int i = 0; i < 20; i++) {
                IntendedRequest intent = books.plan(START + i, i);
                intent.send(START + i);
                books.answered(intent, START + i + 1);
            }
            Thread ending = new Thread(() -> books.endInterval(START + 50));
            ending.start();
            books.end(START + 100);
            assertThat(books.timeline().total().ledger()).isEqualTo(new Ledger(20, 20, 0, 0, 0, 0, 0));
            ending.join();
        }
    }

    @Test
    void at_the_end_all_that_is_open_is_censored_and_what_was_meant_for_later_does_not_count() {
        IntendedRequest sent = journal.plan(START + 100, 1);
        sent.send(START + 100);
        journal.plan(START + 300, 2);
        journal.plan(START + 5_000, 3);
        Recording recording = ended(START + 1_000);
        assertThat(recording.ledger()).isEqualTo(new Ledger(2, 0, 0, 0, 0, 1, 1));
        assertThat(recording.censored().maxNanos()).isEqualTo(900);
        assertThat(recording.responseAtLeast().count()).isEqualTo(2);
    }

    @Test
    void warm_up_requests_do_not_count_however_late_they_end() {
        IntendedRequest early = journal.plan(START - 1, 1);
        early.send(START - 1);
        journal.missed(START - 1, START + 10, IntendedRequest.NOT_BEGUN);
        IntendedRequest first = journal.plan(START, 2);
        first.send(START);
        journal.answered(early, START + 500);
        journal.answered(first, START + 600);
        assertThat(ended(START + 1_000).ledger()).isEqualTo(new Ledger(1, 1, 0, 0, 0, 0, 0));
    }

    @Test
    void an_end_after_the_end_is_too_late() {
        IntendedRequest sent = journal.plan(START + 100, 1);
        sent.send(START + 100);
        Recording recording = ended(START + 1_000);
        journal.answered(sent, START + 1_001);
        journal.withdraw(sent);
        journal.plan(START + 900, 2);
        journal.missed(START + 900, START + 1_002, IntendedRequest.NOT_BEGUN);
        journal.end(START + 3_000);
        assertThat(journal.timeline().total()).isEqualTo(recording);
        assertThat(recording.ledger().addsUp()).isTrue();
    }

    @Test
    void reasons_beyond_the_first_hundred_are_counted_together() {
        for (int i = 0; i < 1_000; i++) {
            journal.failed(journal.plan(START + i, i), START + i + 1, "reason " + i);
        }
        Recording recording = ended(START + 2_000);
        assertThat(recording.failures()).hasSize(100).containsEntry("other reasons", 901L);
    }

    static IntStream seeds() {
        return IntStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void the_books_add_up_whatever_happens(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<IntendedRequest> open = new ArrayList<>();
        long nowAt = START;
        long planned = 0;
        for (int i = 0; i < 500; i++) {
            nowAt += random.nextInt(100);
            if (open.isEmpty()) {
                open.add(journal.plan(nowAt, i));
                planned++;
            }
            IntendedRequest one = open.get(random.nextInt(open.size()));
            switch (random.nextInt(9)) {
                case 0, 1 -> {
                    open.add(journal.plan(nowAt, i));
                    planned++;
                }
                case 2 -> one.send(nowAt);
                case 3 -> journal.answered(one, nowAt);
                case 4 -> journal.failed(one, nowAt, "reason");
                case 5 -> journal.timedOut(one, nowAt);
                case 6 -> journal.neverSent(one, nowAt);
                case 7 -> {
                    journal.endInterval(nowAt);
                    journal.missed(nowAt - 10, nowAt, IntendedRequest.NOT_BEGUN);
                    planned++;
                }
                default -> {
                    if (!one.isSent() && open.remove(one)) {
                        journal.withdraw(one);
                    }
                }
            }
        }
        Ledger ledger = ended(nowAt).ledger();
        assertThat(ledger.addsUp()).as("%s", ledger).isTrue();
        assertThat(ledger.planned()).isBetween(planned / 4, planned);
        assertThat(journal.timeline().intervals().stream()
                        .map(interval -> interval.recording().ledger())
                        .reduce(Ledger.EMPTY, Ledger::plus))
                .isEqualTo(ledger);
    }

    @Test
    void a_warm_up_is_forgotten_and_the_ledger_adds_up_without_it() {
        IntendedRequest cold = journal.plan(START + 100, 1);
        cold.send(START + 110);
        journal.sent(cold, START + 110);
        journal.failed(journal.plan(START + 150, 2), START + 190, "cold");
        IntendedRequest ahead = journal.plan(START + 1_100, 3);
        assertThat(journal.restart(START + 1_000)).isEqualTo(2);
        journal.answered(cold, START + 1_050);
        ahead.send(START + 1_100);
        journal.answered(ahead, START + 1_110);
        journal.missed(START + 900, START + 1_200, IntendedRequest.NOT_BEGUN);
        Recording counted = ended(START + 2_000);
        assertThat(counted.ledger().planned()).isOne();
        assertThat(counted.ledger().addsUp()).isTrue();
        assertThat(counted.response().maxNanos()).isEqualTo(10);
        assertThat(counted.byName()).containsOnlyKeys(ahead.name());
        assertThat(journal.startAt()).isEqualTo(START + 1_000);
    }
}
