package dev.downbeat.gatling.correction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.gatling.ledger.IntendedRequest;
import dev.downbeat.gatling.ledger.Journal;
import dev.downbeat.record.Recording;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** One user, at instants that are made up. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UserTimingTest {
    private static final long START = 1_000;

    private final Journal journal = new Journal(START, true);
    private final UserTiming user =
            new UserTiming(journal, new CorrectedPopulation(null, null, null), 1, journal.plan(START, 1));

    private IntendedRequest send(long nowAt) {
        return user.send(nowAt, List$.MODULE$.empty(), "request");
    }

    private Recording ended(long endAt) {
        journal.end(endAt);
        return journal.timeline().total();
    }

    @Test
    void each_of_several_throttled_resources_of_a_page_waits_for_itself() {
        user.noticed(START);
        user.noticed(START + 10);
        List<IntendedRequest> sent = List.of(send(START + 200), send(START + 400));
        sent.forEach(intent -> journal.answered(intent, START + 500));
        user.noticed(START + 600);
        journal.answered(send(START + 700), START + 800);
        Recording recording = ended(START + 1_000);
        assertThat(recording.response().minNanos()).isEqualTo(200);
        assertThat(recording.response().valueAtPercentile(50)).isEqualTo(490);
        assertThat(recording.ledger().answered()).isEqualTo(3);
        assertThat(journal.peakWaiting()).isEqualTo(2);
    }

    @Test
    void a_silent_request_no_longer_waits_for_its_throttle() {
        for (int i = 0; i < 3; i++) {
            user.noticed(START + i);
            user.silent();
        }
        assertThat(ended(System.nanoTime()).ledger().planned()).isZero();
        assertThat(journal.peakWaiting()).isEqualTo(1);
    }
}
