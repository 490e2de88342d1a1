package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.IdleResult;
import dev.downbeat.exchange.IdleResult.Ending;
import dev.downbeat.exchange.IdleResult.Probe;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import dev.downbeat.report.view.position.IdleView;
import dev.downbeat.report.view.position.IdleView.IdleReport;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IdleViewTest {
    private static final long SECOND = 1_000_000_000L;

    private static Probe probe(Ending ending, String reason) {
        return new Probe(SECOND, false, ending, reason, SECOND, 0, 1_000_000, 1_000_000);
    }

    private static IdleView view(Probe... probes) {
        return new IdleView(IdleReport.of(
                new IdleResult("http://localhost/", Instant.EPOCH, 2 * SECOND, List.of(probes), true),
                List.of("downbeat", "idle"),
                "0.1.0"));
    }

    private static String headline(IdleView view) {
        return view.page().head().headline();
    }

    @Test
    void a_first_request_that_failed_says_nothing_about_idle_connections() {
        IdleView view = view(Stream.concat(
                        Stream.generate(() -> probe(Ending.KEPT, "")).limit(9),
                        Stream.of(probe(Ending.NOT_KEPT, "timed out")))
                .toArray(Probe[]::new));
        assertThat(headline(view)).isEqualTo("Connections idle for 1.00 s can still be used.");
        assertThat(view.page().answers()).hasSize(1);
    }

    @Test
    void without_any_first_answer_the_failure_is_the_finding() {
        assertThat(headline(view(probe(Ending.NOT_KEPT, "refused")))).isEqualTo("Connections are not kept: refused.");
        assertThat(headline(view(probe(Ending.KEPT, ""), probe(Ending.NOT_KEPT, ""))))
                .isEqualTo("Connections are not kept: closed with its first response.");
    }

    @Test
    void a_name_without_planned_requests_has_a_row() {
        Recording failed = Recording.of(new Ledger(0, 0, 1, 0, 0, 0, 0), ResponseTimes.NONE, Tallies.NONE);
        assertThat(new NameRows(1).cells("a", failed).get(6).text()).isEqualTo("1 (100 %)");
    }
}
