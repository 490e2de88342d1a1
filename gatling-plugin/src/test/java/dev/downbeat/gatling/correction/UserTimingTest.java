package dev.downbeat.gatling.correction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.record.Recording;
import io.gatling.core.session.Session;
import io.gatling.core.session.Session$;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** One user, at instants that are made up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UserTimingTest {
    private static final long START = 1_000;
    private static final Session ANYBODY = Session$.MODULE$.apply("anybody", 1, null);

    private final Journal journal = new Journal(START, true);
    private final CorrectedPopulation population = new CorrectedPopulation(null, null);
    private final UserTiming user = new UserTiming(journal, population, 1, journal.plan(START, 1));

    private IntendedRequest send(long nowAt) {
        return user.send(nowAt, List$.MODULE$.empty(), "request");
    }

    private Recording ended(long endAt) {
        journal.end(endAt);
        return journal.timeline().total();
    }

    @Test
    void each_of_several_throttled_resources_of_a_page_waits_for_itself() {
        user.holdForThrottle(START);
        user.holdForThrottle(START + 10);
        List<IntendedRequest> sent = List.of(send(START + 200), send(START + 400));
        sent.forEach(intent -> journal.answered(intent, START + 500));
        user.holdForThrottle(START + 600);
        journal.answered(send(START + 700), START + 800);
        Recording recording = ended(START + 1_000);
        assertThat(recording.response().minNanos()).isEqualTo(200);
        assertThat(recording.response().valueAtPercentile(50)).isEqualTo(490);
        assertThat(recording.ledger().answered()).isEqualTo(3);
        assertThat(journal.peakWaiting()).isEqualTo(2);
        assertThat(journal.peakWaitingNanos()).isEqualTo(10);
    }

    /** An iteration outside any loop. */
    private static PacedLoop iteration(long dueAt) {
        return new PacedLoop(null, null, dueAt, 100, false, 0, null, null);
    }

    @Test
    void what_a_user_waits_for_a_response_is_no_delay_of_Downbeat() {
        journal.answered(send(START), START + 300);
        user.iterate(this, iteration(START + 100).late());
        journal.answered(send(START + 350), START + 400);
        Recording recording = ended(START + 1_000);
        assertThat(recording.response().maxNanos()).isEqualTo(300);
        assertThat(recording.lateness().maxNanos()).as("after the response").isEqualTo(50);
    }

    @Test
    void a_user_who_waited_for_nothing_was_delayed_by_Downbeat() {
        journal.answered(send(START), START + 300);
        user.iterate(this, iteration(START + 100));
        journal.answered(send(START + 350), START + 400);
        assertThat(ended(START + 1_000).lateness().maxNanos()).isEqualTo(250);
    }

    @Test
    void an_iteration_without_a_request_is_not_planned_and_one_that_is_due_already_only_once() {
        user.iterate(this, iteration(START));
        user.iterate(this, iteration(START + 100));
        user.iterate(this, iteration(START + 100));
        journal.answered(send(START + 120), START + 130);
        user.iterate(this, iteration(START + 200));
        user.left(ANYBODY, START + 250);
        Recording recording = ended(START + 1_000);
        assertThat(recording.ledger().planned()).isEqualTo(1);
        assertThat(population.paced()).isEqualTo(1);
        assertThat(recording.response().maxNanos()).isEqualTo(30);
    }

    @Test
    void a_request_behind_a_loop_does_not_take_the_beat_that_its_last_iteration_left_over() {
        journal.answered(send(START), START + 10);
        user.iterate(this, iteration(START + 100));
        user.continueAfterBlock(ANYBODY, START + 300);
        journal.answered(send(START + 300), START + 310);
        Recording recording = ended(START + 1_000);
        assertThat(recording.ledger().planned()).isEqualTo(2);
        assertThat(recording.response().maxNanos()).isEqualTo(10);
        assertThat(recording.lateness().maxNanos()).isZero();
    }

    @Test
    void an_iteration_without_a_pace_does_not_take_the_beat_that_the_one_before_left_over() {
        journal.answered(send(START), START + 10);
        user.iterate(this, iteration(START + 100));
        user.unpaced(this, START + 300);
        journal.answered(send(START + 300), START + 310);
        user.iterate("another pace", iteration(START + 400));
        user.unpaced(this, START + 420); // inside the other one's iteration
        journal.answered(send(START + 430), START + 440);
        Recording recording = ended(START + 1_000);
        assertThat(recording.ledger().planned()).isEqualTo(3);
        assertThat(recording.response().valueAtPercentile(50)).isEqualTo(10);
        assertThat(recording.response().maxNanos()).isEqualTo(40);
    }

    @Test
    void an_iteration_that_is_over_without_a_request_is_not_planned_whenever_the_user_leaves() {
        journal.answered(send(START), START + 10);
        user.iterate(this, iteration(START + 100));
        user.pause(20, START + 100);
        assertThat(user.dueAt(this, false, 100, START + 120)).isEqualTo(START + 200);
        assertThat(ended(START + 1_000).ledger().planned()).isEqualTo(1);
        assertThat(population.paced()).isZero();
    }

    @Test
    void pauses_add_up_from_the_planned_time_and_end_with_a_rendez_vous() {
        assertThat(user.pause(500, START + 100)).isEqualTo(START + 500);
        journal.answered(send(START + 600), START + 610);
        assertThat(user.pause(500, START + 700)).isEqualTo(START + 1_200);
        assertThat(user.pause(100, START + 1_250)).isEqualTo(START + 1_300);
        journal.answered(send(START + 1_500), START + 1_510); // 200 late
        user.pause(500, START + 1_600);
        journal.answered(send(START + 1_700), START + 1_710); // before its end
        user.pause(10, START + 1_800);
        user.realign(START + 2_000);
        journal.answered(send(START + 2_300), START + 2_310); // a request of its own
        Recording recording = ended(START + 3_000);
        assertThat(recording.ledger().answered()).isEqualTo(4);
        assertThat(recording.response().maxNanos()).isEqualTo(210);
        assertThat(recording.response().minNanos()).isEqualTo(10);
        assertThat(recording.lateness().maxNanos()).isEqualTo(200);
    }

    @Test
    void a_paced_loop_after_a_pause_begins_at_its_planned_end_however_late_the_user_goes_on() {
        journal.answered(send(START), START + 10);
        user.pause(500, START + 10);
        assertThat(user.dueAt(this, true, 100, START + 700)).isEqualTo(START + 510);
        user.iterate(this, iteration(START + 510));
        journal.answered(send(START + 700), START + 710);
        user.pause(300, START + 710);
        assertThat(user.dueAt(this, true, 100, START + 1_100))
                .as("entered again")
                .isEqualTo(START + 1_010);
        Recording recording = ended(START + 2_000);
        assertThat(recording.response().maxNanos()).isEqualTo(200);
        assertThat(recording.lateness().maxNanos()).isEqualTo(190);
    }

    @Test
    void a_first_request_that_a_pause_moves_behind_the_warm_up_is_counted() {
        Journal warm = new Journal(START + 500, true);
        UserTiming thinking = new UserTiming(warm, new CorrectedPopulation(null, null), 1, warm.plan(START, 1));
        thinking.pause(400, START);
        thinking.pause(200, START + 400);
        warm.answered(thinking.send(START + 610, List$.MODULE$.empty(), "request"), START + 650);
        warm.end(START + 1_000);
        Recording recording = warm.timeline().total();
        assertThat(recording.ledger().planned()).isEqualTo(1);
        assertThat(recording.response().maxNanos()).isEqualTo(50);
        assertThat(warm.windowNanos()).isEqualTo(100);
    }

    @Test
    void a_first_request_that_is_moved_counts_towards_the_window_of_the_plan() {
        user.pause(300, START);
        journal.answered(send(START + 300), START + 310);
        assertThat(ended(START + 1_000).ledger().planned()).isEqualTo(1);
        assertThat(journal.windowNanos()).isEqualTo(300);
    }

    @Test
    void a_rendez_vous_before_the_first_request_is_its_planned_time() {
        user.realign(START + 400);
        journal.answered(send(START + 450), START + 500);
        assertThat(ended(START + 1_000).response().maxNanos()).isEqualTo(100);
    }

    @Test
    void iterations_are_due_an_interval_apart_unless_the_loop_was_left() {
        assertThat(user.dueAt(this, true, 100, START + 10)).as("as the user").isEqualTo(START);
        user.iterate(this, iteration(START));
        send(START);
        assertThat(user.dueAt(this, false, 100, START + 250)).isEqualTo(START + 100);
        assertThat(user.dueAt(this, true, 100, START + 250)).isEqualTo(START + 250);
        assertThat(user.dueAt(this, true, 100, START + 50)).isEqualTo(START + 100);
        assertThat(user.dueAt("another pace", false, 100, START + 250)).isEqualTo(START + 250);
    }

    @Test
    void a_paced_loop_that_is_entered_again_is_due_with_the_late_iteration_around_it() {
        user.iterate("outer", iteration(START));
        journal.answered(send(START), START + 340);
        user.iterate(this, iteration(user.dueAt(this, true, 10, START + 340)));
        journal.answered(send(START + 340), START + 350);
        user.continueAfterBlock(ANYBODY, START + 350);
        user.iterate("outer", iteration(START + 100).late());
        long dueAt = user.dueAt(this, true, 10, START + 350);
        user.iterate(this, iteration(dueAt).late());
        journal.answered(send(START + 350), START + 360);
        assertThat(dueAt).isEqualTo(START + 100);
        Recording recording = ended(START + 1_000);
        assertThat(recording.ledger().planned()).isEqualTo(3);
        assertThat(recording.response().valueAtPercentile(50)).isEqualTo(260);
    }

    @Test
    void a_silent_request_no_longer_waits_for_its_throttle() {
        for (int i = 0; i < 3; i++) {
            user.holdForThrottle(START + i);
            user.silent();
        }
        assertThat(ended(System.nanoTime()).ledger().planned()).isZero();
        assertThat(population.following()).isZero();
        assertThat(journal.peakWaiting()).isEqualTo(1);
    }

    @Test
    void of_a_paced_iteration_only_the_first_request_is_paced() {
        for (int i = 0; i < 3; i++) {
            user.iterate(this, iteration(START + 100 * i));
            for (int request = 0; request < 3; request++) {
                journal.answered(send(START + 100 * i), START + 100 * i + 1);
            }
        }
        assertThat(population.paced()).as("beside the injected one").isEqualTo(2);
        assertThat(population.following()).isEqualTo(6);
        assertThat(population.isUnpaced()).isFalse();
    }
}
