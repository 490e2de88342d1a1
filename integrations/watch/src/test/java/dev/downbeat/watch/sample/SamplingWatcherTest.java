package dev.downbeat.watch.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.watch.sample.SamplingWatcher.SamplingGroup;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SamplingWatcherTest {
    @Test
    void a_server_that_hangs_at_the_end_does_not_take_what_was_seen_before() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch hanging = new CountDownLatch(1);
        long startAt = System.nanoTime();
        SamplingWatcher.Sampler sampler = new SamplingWatcher.Sampler() {
            @Override
            public void sample(long now) throws IOException {
                asked.countDown();
                try {
                    if (asked.getCount() == 0) {
                        hanging.await();
                    }
                } catch (InterruptedException ended) {
                    throw new IOException(ended);
                }
            }

            @Override
            public List<Event> events() {
                return List.of(new Event(EventKind.CHECKPOINT, startAt, 1_000, ""));
            }
        };
        try (SamplingWatcher watcher =
                new SamplingWatcher("service", 0, () -> List.of(new SamplingGroup(1, List.of(sampler))))) {
            watcher.begin();
            asked.await();

            WatchResult result = watcher.end(startAt, 1_000_000_000L);

            assertThat(result.events()).hasSize(1);
            assertThat(result.notes()).containsExactly("its last sample did not end");
            hanging.countDown();
        }
    }
}
