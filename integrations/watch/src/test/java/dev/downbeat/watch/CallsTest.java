package dev.downbeat.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.watch.JvmWatcher.CallMatching;
import dev.downbeat.watch.JvmWatcher.ClockLink;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CallsTest {
    private static final long MICRO = 1_000;
    private static final long OFFSET = 1_790_000_000_000_000_000L;

    /** Three watchers of one JVM, who began within a second; each hears of the operations of all. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void own_messages_are_found_among_foreign_ones(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<FlightEvents.OwnOperation> operations = new ArrayList<>();
        List<CallMatching.TimedCall> ours = watcher(random, random.nextLong(500_000 * MICRO), operations);
        watcher(random, random.nextLong(500_000 * MICRO), operations);
        watcher(random, random.nextLong(500_000 * MICRO), operations);
        operations.sort(Comparator.comparingLong(FlightEvents.OwnOperation::startNanos));
        List<ClockLink.RoundTrip> found = CallMatching.match(ours, operations);
        assertThat(found).hasSameSizeAs(ours);
        ClockLink link = ClockLink.of(found);
        assertThat(link.toLocal(OFFSET)).isBetween(-link.uncertaintyNanos(), link.uncertaintyNanos());
        assertThat(CallMatching.match(ours, operations.subList(operations.size() / 2, operations.size())))
                .as("a recorder that dropped the first")
                .containsExactlyElementsOf(found.subList(12, 24));
        assertThat(CallMatching.match(ours, operations.subList(operations.size() - 3, operations.size())))
                .isEmpty();
    }

    private static List<CallMatching.TimedCall> watcher(
            SplittableRandom random, long from, List<FlightEvents.OwnOperation> operations) {
        List<CallMatching.TimedCall> calls = new ArrayList<>();
        long at = from;
        for (int i = 0; i < 24; i++) {
            long sent = at;
            long start = sent + random.nextLong(50 * MICRO, 500 * MICRO);
            long end = start + random.nextLong(20 * MICRO, 200 * MICRO);
            long answered = end + random.nextLong(50 * MICRO, 500 * MICRO);
            calls.add(new CallMatching.TimedCall(sent, answered));
            operations.add(new FlightEvents.OwnOperation(OFFSET + start, OFFSET + end));
            at = answered + random.nextLong(4_000 * MICRO) + (i == 11 ? 2_000_000 * MICRO : 0);
        }
        return calls;
    }
}
