package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventCause;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WatchResult;
import dev.downbeat.why.Watcher;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A service that is watched while it is measured. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class LoadWatchTest {
    private static final Load LOAD = Load.open(Arrivals.perSecond(200).evenly())
            .duration(Duration.ofMillis(500))
            .objectives("max<1ns");

    /** Sees one event. */
    private static final class OneEvent implements Watcher {
        private boolean closed;

        @Override
        public String source() {
            return "the code itself";
        }

        @Override
        public void begin() {}

        @Override
        public WatchResult end(long startAt, long durationNanos) {
            Event event = new Event(EventKind.LOCK_WAIT, System.nanoTime() - startAt - 50_000_000, 9_000_000, "Orders");
            return new WatchResult(source(), List.of(event), 0, durationNanos, 0, List.of("it is a test"));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Whatever one event explains: a run as short as this cannot say. */
    @Test
    void the_sentence_says_what_the_service_did_and_so_does_each_report() {
        OneEvent watcher = new OneEvent();
        Measured measured = LOAD.watch(watcher).run(beat -> {});
        assertThat(watcher.closed).isTrue();
        assertThat(ReportAccess.of(measured).why().watched())
                .singleElement()
                .satisfies(seen -> assertThat(seen.events()).hasSize(1));
        assertThat(measured.sentence()).contains("max < 1 ns MISSED", "; why: ", "1 lock wait");
        assertThat(measured.judgedBy("p50<1s").sentence()).contains("; why: ");
        assertThat(measured.text().replaceAll("\\s+", " ")).contains(" why ", "note the code itself: it is a test");
    }

    @Test
    void the_cause_stands_in_the_sentence() {
        RunReport plain = ReportAccess.of(LOAD.run(beat -> {}));
        EventCause cause = new EventCause(EventKind.FULL_COLLECTION, List.of(), 2, 0.81, 0.7, 0.9, 0.03, "G1 Full");
        Explanation tail = new Explanation(new Explanation.Tail(99), 1, 100, List.of(cause), 0.19, List.of());
        RunReport explained = new RunReport(
                plain.analysis(),
                plain.command(),
                plain.seed(),
                plain.version(),
                plain.machine(),
                plain.details(),
                plain.queue(),
                plain.measurement(),
                new Diagnosis(
                        List.of(new WatchResult("jvm:4711", List.of(), 0, 500_000_000, 0, List.of())), List.of(tail)));
        assertThat(new Measured.OfRun(explained, Optional.empty()).sentence())
                .contains(
                        "; why: 2 full GCs (G1 Full) account for 81 % of the time beyond p99 (3 % by chance); unexplained"
                                + " 19 %; over 100 requests");
    }

    @Test
    void a_watcher_is_for_one_run() {
        Load watched = LOAD.duration(Duration.ofMillis(20)).watch(new OneEvent());
        watched.run(beat -> {});
        assertThatThrownBy(() -> watched.run(beat -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a watcher is for one run, and that of the code itself was used by an earlier one");
    }

    @Test
    void a_watcher_that_downbeat_did_not_make_is_refused() {
        assertThatThrownBy(() -> LOAD.watch(() -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Watchers.parse(\"jvm:4711\")");
    }

    @Test
    void a_watched_load_is_no_sweep() {
        assertThatThrownBy(() -> LOAD.duration(Duration.ofSeconds(3))
                        .watch(new OneEvent())
                        .sweepTo(400))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("watch is for one load: watch the highest rate in a load of its own");
    }
}
