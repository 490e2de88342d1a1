package dev.downbeat.gatling.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.gatling.version.Scalas;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Recording;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The books by name, interval by interval, on instants that are made up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RequestTimelineTest {
    private final Journal journal = new Journal(0, true);

    private void answered(String name, String... groups) {
        IntendedRequest intent = journal.plan(0, 1);
        intent.name(Scalas.scala(List.of(groups)), name);
        intent.send(1);
        journal.answered(intent, 2);
    }

    private static long count(Recording recording, String name) {
        return recording.named(name).ledger().answered();
    }

    @Test
    void a_group_is_all_of_its_requests_and_stands_before_them() {
        answered("login", "shop");
        journal.endInterval(1_000);
        answered("add", "shop", "cart");
        answered("about");
        journal.end(2_000);
        assertThat(journal.timeline().total().byName().keySet())
                .containsExactly("about", "(group) shop", "(group) shop / cart", "shop / cart / add", "shop / login");
        assertThat(count(journal.timeline().total(), "(group) shop")).isEqualTo(2);
        assertThat(journal.timeline().intervals().stream()
                        .map(Interval::recording)
                        .map(seen -> count(seen, "(group) shop")))
                .containsExactly(1L, 1L);
    }

    @Test
    void a_name_with_the_mark_between_groups_is_in_none() {
        answered("search / page 2");
        journal.end(2_000);
        assertThat(journal.timeline().total().byName()).containsOnlyKeys("search / page 2");
    }

    @Test
    void beyond_the_first_hundreds_names_share_one_and_nothing_is_lost() {
        for (int i = 0; i < 600; i++) {
            answered("name " + i);
        }
        journal.endInterval(1_000);
        for (int i = 0; i < 600; i++) {
            answered("name " + i);
        }
        journal.end(2_000);
        Recording total = journal.timeline().total();
        assertThat(total.byName()).hasSize(501);
        assertThat(count(total, "name 499")).isEqualTo(2);
        assertThat(count(total, "(other names)")).isEqualTo(200);
        List<Interval> timeline = journal.timeline().intervals();
        assertThat(timeline.get(0).recording().byName())
                .as("names with a timeline")
                .hasSize(50);
        assertThat(total.byName())
                .allSatisfy((name, sum) -> assertThat(timeline.stream()
                                .mapToLong(interval -> count(interval.recording(), name))
                                .sum())
                        .isEqualTo(sum.ledger().answered()));
    }

    @Test
    void a_long_run_has_a_bounded_timeline_and_nothing_is_lost() {
        int seconds = 2 * IntervalTimeline.MOST;
        for (int i = 1; i <= seconds; i++) {
            answered("name " + i % 60, "shop");
            journal.endInterval(i * 1_000L);
        }
        journal.end(seconds * 1_000L);
        Recording total = journal.timeline().total();
        List<Interval> timeline = journal.timeline().intervals();
        assertThat(timeline.size()).isLessThanOrEqualTo(IntervalTimeline.MOST);
        assertThat(timeline)
                .extracting(interval -> interval.recording().anatomy())
                .as("what only whole runs need")
                .containsOnly(Recording.Anatomy.NONE);
        assertThat(total.anatomy()).isNotEqualTo(Recording.Anatomy.NONE);
        assertThat(total.ledger().answered()).isEqualTo(seconds);
        assertThat(total.byName())
                .hasSize(61)
                .allSatisfy((name, sum) -> assertThat(timeline.stream()
                                .mapToLong(interval -> count(interval.recording(), name))
                                .sum())
                        .isEqualTo(sum.ledger().answered()));
        assertThat(count(total, "(group) shop")).isEqualTo(seconds);
    }
}
