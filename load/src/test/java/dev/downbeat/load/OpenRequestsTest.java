package dev.downbeat.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.report.data.ReportAccess;
import dev.downbeat.selfcheck.HealthMonitor;
import dev.downbeat.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that stay open over several takes, as event streams and long polls do. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OpenRequestsTest {
    private static final long MS = 1_000_000;

    private final ManualClock clock = new ManualClock(7 * MS);
    private final ServiceRecorder shop = new ServiceRecorder("shop", clock, unused -> HealthMonitor.start());
    private final List<Request> streams = new ArrayList<>();

    private void opens(int count) {
        for (int i = 0; i < count; i++) {
            streams.add(shop.request().named("/events"));
        }
    }

    /** Each is answered after 2 ms. */
    private void serves(int orders) {
        for (int i = 0; i < orders; i++) {
            Request order = shop.request().named("/order");
            clock.advanceNanos(2 * MS);
            order.answered();
        }
    }

    private Measured taken() {
        Measured measured = shop.take("p99<50ms", "errors<0.1%");
        assertThat(ReportAccess.of(measured).result().ledger().addsUp()).isTrue();
        assertThat(measured.planned() + measured.openBefore())
                .as("every request is accounted for")
                .isEqualTo(measured.answered() + measured.failed() + measured.inFlight());
        return measured;
    }

    @ParameterizedTest(name = "{0} streams")
    @ValueSource(ints = {1, 15, 2_000})
    void open_streams_bound_the_times_of_other_requests_only_in_the_report_of_their_arrival(int count) {
        opens(count);
        serves(1_000);
        Measured first = taken();
        assertThat(first.planned()).isEqualTo(1_000 + count);
        assertThat(first.openBefore()).isZero();
        assertThat(first.isLowerBound(100)).isTrue();
        for (int minute = 0; minute < 3; minute++) {
            serves(1_000);
            Measured later = taken();
            assertThat(later.verdict()).as(later.sentence()).isEqualTo(Verdict.MET);
            assertThat(later.max()).isLessThan(Duration.ofMillis(3));
            assertThat(later.planned()).isEqualTo(1_000);
            assertThat(later.openBefore()).isEqualTo(count);
            assertThat(later.inFlight()).isEqualTo(count);
            assertThat(later.sentence())
                    .contains("over 1,000 requests, " + String.format("%,d still open from before", count));
            assertThat(later.text()).contains("open before " + String.format("%,d", count));
        }
        streams.forEach(Request::answered);
        Measured last = taken();
        assertThat(last.planned()).isZero();
        assertThat(last.answered()).isEqualTo(count);
        assertThat(last.inFlight()).isZero();
        assertThat(last.max()).isGreaterThanOrEqualTo(Duration.ofSeconds(8));
        assertThat(first.ended().plus(last.ended()).count())
                .as("in the whole, once")
                .isEqualTo(1_000 + count);
    }

    @Test
    void a_report_without_arrivals_and_ends_has_no_throughput_and_no_stall() {
        opens(100);
        clock.advanceNanos(2_000 * MS);
        assertThat(taken().planned()).isEqualTo(100);
        for (int i = 0; i < 2; i++) {
            clock.advanceNanos(2_000 * MS);
            Measured idle = taken();
            assertThat(idle.planned()).isZero();
            assertThat(idle.inFlight()).isEqualTo(100);
            assertThat(ReportAccess.of(idle).analysis().events()).isEmpty();
            assertThat(idle.text()).contains("0/s taken in").doesNotContain("stalled", "NOTHING ANSWERED");
        }
    }

    /** Not only the requests that were open at its start wait for it. */
    @Test
    void a_stall_over_several_reports_shows_in_each_of_them() {
        serves(1_000);
        taken();
        for (int minute = 0; minute < 3; minute++) {
            for (int i = 0; i < 1_000; i++) {
                shop.request().named("/order");
                clock.advanceNanos(2 * MS);
            }
            Measured stalled = taken();
            assertThat(stalled.planned()).isEqualTo(1_000);
            assertThat(stalled.inFlight()).isEqualTo(1_000 * (minute + 1));
            assertThat(stalled.verdict()).as(stalled.sentence()).isEqualTo(Verdict.MISSED);
            assertThat(ReportAccess.of(stalled).analysis().events()).isNotEmpty();
        }
    }

    @Test
    void failures_of_requests_that_were_open_before_count_among_those_that_ended() {
        opens(10);
        clock.advanceNanos(1_000 * MS);
        taken();
        streams.forEach(stream -> stream.failed("reset"));
        Measured measured = taken();
        assertThat(measured.planned()).isZero();
        assertThat(measured.failed()).isEqualTo(10);
        assertThat(measured.errorShare()).isEqualTo(1);
    }
}
