package dev.downbeat.report.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.Samples;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.data.WorkloadText;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.RunFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectionStatesTest {
    private static final long SECOND = 1_000_000_000;

    private static ConnectionFacts.ConnectionStates states(ConnectionCounts... seconds) {
        List<Interval> intervals = new ArrayList<>();
        for (ConnectionCounts counts : seconds) {
            long from = intervals.size() * SECOND;
            intervals.add(new Interval(from, from + SECOND, Recording.empty(), counts));
        }
        return new ConnectionFacts.ConnectionStates(intervals, 0);
    }

    private static ConnectionCounts counts(long opened, long open, long inUse) {
        return new ConnectionCounts(opened, 0, 0, 0, 0, 0, open, inUse);
    }

    @Test
    void a_pool_that_was_full_once_shows() {
        assertThat(states(counts(16, 16, 2), counts(0, 16, 3), counts(0, 16, 16), counts(0, 16, 1))
                        .inWords())
                .contains("median 3 of 16, peak 16 at 3.0 s");
    }

    @Test
    void fewer_open_connections_are_no_smaller_pool() {
        List<Interval> intervals =
                states(counts(6, 6, 6), counts(0, 6, 1), counts(0, 6, 1)).intervals();
        assertThat(new ConnectionFacts.ConnectionStates(intervals, 64).inWords())
                .contains("median 1 of 64, peak 6 at 1.0 s");
        assertThat(new ConnectionFacts.ConnectionStates(intervals, 3).inWords())
                .as("of several services")
                .contains("median 1 of 6, peak 6 at 1.0 s");
    }

    @ParameterizedTest(name = "{0} connections, {1} generators, shard {2} of {3}")
    @CsvSource({"64, 1, 0, 1, 64", "64, 1, 0, 3, 22", "64, 1, 2, 3, 21", "66, 2, 0, 2, 34", "66, 2, 1, 2, 32"})
    void the_pool_of_a_shard_is_its_part_of_the_plans(long all, int generators, int shard, int shards, long own) {
        RunPlan plan = RunPlan.builder(new Workload.Closed(8, ThinkTime.none()))
                .maxRequests(1)
                .generators(generators)
                .shard(new Shard(shard, shards))
                .build();
        assertThat(ConnectionFacts.ofProcess(all, plan)).isEqualTo(own);
    }

    @Test
    void connections_that_were_replaced_at_once_show() {
        assertThat(states(counts(4, 4, 1), counts(9, 4, 1), counts(1, 4, 1)).inWords())
                .contains("median 1 of 4, peak 1 at 1.0 s; most connections opened: 9 in the interval ending at 2.0 s");
    }

    /** The load line of a run says what was asked for, and this beside it where it is less. */
    @Test
    void a_server_that_allows_one_stream_is_seen_though_more_were_asked_for() {
        ConnectionCounts one = counts(2, 2, 1).with(new StreamCounts(500, 0, 2, 2));
        RunReport report = Samples.report(
                new RunFixture()
                        .connections(one)
                        .answered(100, RunFixture.MS)
                        .until(RunFixture.S)
                        .ended(RunSpan.Ending.COMPLETE, RunFixture.S)
                        .result(),
                Map.of("streams", 100));
        assertThat(WorkloadText.line(report)).contains(", 100 streams (the server allows 1), seed ");
    }

    @Test
    void nothing_is_printed_without_anything_to_compare() {
        assertThat(states().inWords()).isEmpty();
        assertThat(states(counts(4, 4, 1)).inWords()).isEmpty();
        assertThat(states(ConnectionCounts.NONE, ConnectionCounts.NONE).inWords())
                .isEmpty();
        assertThat(states(counts(4, 4, 0), counts(4, 4, 0)).inWords())
                .as("in use at no interval's end")
                .isEmpty();
    }
}
