package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Two consumers that work for seconds on each message. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkingTimeTest {
    private static final long S = 1_000_000_000;

    private final Consumers.WorkingTime working = new Consumers.WorkingTime();

    private Map<String, Long> counts() {
        Map<String, Long> counts = new TreeMap<>();
        working.count(2, counts);
        return counts;
    }

    @Test
    void consumers_that_never_rest_work_all_the_time_until_the_last_message() {
        working.begin(1, 0);
        working.begin(2, 0);
        working.end(3 * S);
        working.begin(10, 3 * S);
        working.end(6 * S);
        working.begin(5, 6 * S);
        working.end(21 * S); // and rests until the other has done its ten
        working.end(33 * S);
        assertThat(counts())
                .isEqualTo(Map.of("consumer milliseconds", 12_000L, "consumer milliseconds at work", 12_000L));
    }

    @Test
    void time_in_which_a_consumer_waits_for_messages_counts() {
        working.begin(5, 0);
        working.end(3 * S);
        working.begin(5, 10 * S);
        working.end(13 * S);
        working.begin(1, 20 * S);
        assertThat(counts())
                .isEqualTo(Map.of("consumer milliseconds", 40_000L, "consumer milliseconds at work", 6_000L));
    }

    @Test
    void few_messages_say_nothing() {
        working.begin(1, 0);
        working.end(3 * S);
        working.begin(8, 3 * S);
        assertThat(counts()).isEmpty();
    }
}
