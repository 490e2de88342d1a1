package dev.downbeat.run.agenda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DueClientsTest {
    private record Due(int client, long nanos) {}

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** Half of the seeds with times that mostly grow, as without think times, half with any. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void clients_leave_by_time_and_then_by_number(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        DueClients clients = new DueClients(random.nextInt(5));
        PriorityQueue<Due> expected =
                new PriorityQueue<>(Comparator.comparingLong(Due::nanos).thenComparingInt(Due::client));
        long clock = 0;
        for (int i = 0; i < 2_000; i++) {
            if (expected.isEmpty() || random.nextInt(5) < 3) {
                clock += random.nextInt(3);
                long nanos = seed % 2 == 0 && random.nextInt(20) > 0 ? clock : random.nextInt(1_000);
                Due due = new Due(i, nanos);
                expected.add(due);
                clients.add(due.client, due.nanos);
            } else {
                Due first = expected.remove();
                assertThat(clients.firstNanos()).isEqualTo(first.nanos);
                assertThat(clients.removeFirst()).isEqualTo(first.client);
            }
            long limit = random.nextInt(1_000);
            assertThat(clients.countBefore(limit))
                    .isEqualTo(
                            expected.stream().filter(due -> due.nanos < limit).count());
            assertThat(clients.isEmpty()).isEqualTo(expected.isEmpty());
        }
    }
}
