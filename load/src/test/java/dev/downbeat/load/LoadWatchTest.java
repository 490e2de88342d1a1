package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Watched;
import dev.downbeat.why.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A service that is watched while it is measured. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated
class LoadWatchTest {
    private static final Load LOAD =
            Load.open(Arrivals.perSecond(200).evenly()).duration(Duration.ofSeconds(2)).objectives("max<20ms");

    /** Code that is held up four times, and knows when. */
    private static final class HeldUp implements Watcher {
        private final List<Long> beginnings = new ArrayList<>();
        private final List<Long> ends = new ArrayList<>();
        private boolean closed;

        /** Each call waits while another is held. */
        void call(long index) throws InterruptedException {
            synchronized (this) {
                if (index == 37 || index == 111 || index == 193 || index == 301) {
                    beginnings.add(System.nanoTime());
                    Thread.sleep(90);
                    ends.add(System.nanoTime());
                }
            }
        }

        @Override
        public String source() {
            return "the code itself";
        }

        @Override
        public void begin() {}

        @Override
        public Watched end(long startAt, long durationNanos) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < ends.size(); i++) {
                long from = beginnings.get(i) - startAt;
                events.add(new Event(EventKind.LOCK_WAIT, from, ends.get(i) - beginnings.get(i), "HeldUp"));
            }
            return new Watched(source(), events, 0, durationNanos, 0, List.of("it is a test"));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void the_sentence_says_what_slow_requests_waited_for_and_so_does_each_report() {
        HeldUp code = new HeldUp();
        Measured measured = LOAD.watch(code).run(beat -> code.call(beat.index()));
        assertThat(code.closed).isTrue();
        assertThat(measured.sentence()).contains("max < 20 ms MISSED", "; why: 4 lock waits (HeldUp) cover ");
        assertThat(measured.judgedBy("p50<1s").sentence()).contains("why: 4 lock waits");
        assertThat(measured.text().replaceAll("\\s+", " "))
                .contains("why 4 lock waits (HeldUp) cover ", "to know the code itself: it is a test");
    }

    @Test
    void a_watcher_is_for_one_run() {
        Load watched = LOAD.duration(Duration.ofMillis(20)).watch(new HeldUp());
        watched.run(beat -> {});
        assertThatThrownBy(() -> watched.run(beat -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a watcher is for one run, and that of the code itself was used by an earlier one");
    }
}
