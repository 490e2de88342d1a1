package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Results;
import dev.downbeat.cli.ShardResults;
import dev.downbeat.cli.job.LiveTotals;
import dev.downbeat.cli.job.RunCounts;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.RunSnapshot;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is seen of shards while they run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveTotalsTest {
    private static final int SHARDS = 3;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path folder;

    private final Room room = new Room(1, Duration.ZERO);
    private final SignedNotes notes = new SignedNotes(room.store, room.token);

    private void agreed() throws IOException {
        List<SignedNotes.Note.Member> members = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            members.add(new SignedNotes.Note.Member(i, "id-" + i));
        }
        notes.write(SignedNotes.Note.AGREED, new SignedNotes.Note.Agreed("", 0, members));
    }

    private void state(int shard, long beat, SignedNotes.Note.Phase phase, RunCounts.Snapshot seen) throws IOException {
        notes.write(
                SignedNotes.Note.state(shard),
                new SignedNotes.Note.State(shard, "id-" + shard, beat, phase, beat, seen, RunSnapshot.NONE));
    }

    @Test
    void the_sum_is_that_of_the_merged_results() throws IOException {
        ShardResults results = new ShardResults(folder);
        agreed();
        Recording merged = Recording.empty();
        for (int i = 0; i < SHARDS; i++) {
            RunResult result = RunFile.read(results.shard(i, SHARDS)).result();
            RunCounts counted = new RunCounts();
            result.intervals().forEach(counted::interval);
            state(
                    i,
                    1,
                    SignedNotes.Note.Phase.ENDED,
                    counted.snapshotOfSeconds().with(result.recording()));
            merged = merged.plus(result.recording());
        }
        LiveTotals sight =
                MeetingObserver.at(room.store, Room.plan("the plan")).poll(0).orElseThrow();
        Recording sum = sight.counts().total();
        assertThat(sum.ledger().answered())
                .isEqualTo(merged.ledger().answered())
                .isPositive();
        assertThat(sum.response()).isEqualTo(merged.response());
        assertThat(sum.service()).isEqualTo(merged.service());
        assertThat(sight.isOver()).isTrue();
    }

    @Test
    void a_shard_that_dies_is_named_within_5_s_and_stays_in_the_sum() throws IOException {
        ShardResults results = new ShardResults(folder);
        agreed();
        RunCounts counted = new RunCounts();
        RunFile.read(results.shard(0, SHARDS)).result().intervals().forEach(counted::interval);
        MeetingObserver onlooker = MeetingObserver.at(room.store, Room.plan("the plan"));
        long diedAt = 4;
        long namedAt = -1;
        for (long second = 1; second < 20; second++) {
            for (int i = 0; i < SHARDS; i++) {
                if (i != 1 || second <= diedAt) {
                    state(i, second, SignedNotes.Note.Phase.RUNNING, counted.snapshotOfSeconds());
                }
            }
            LiveTotals sight = onlooker.poll(TimeUnit.SECONDS.toNanos(second)).orElseThrow();
            namedAt = namedAt < 0 && sight.count(LiveTotals.Health.SILENT) == 1 ? second : namedAt;
            assertThat(sight.count(LiveTotals.Health.RUNNING) + sight.count(LiveTotals.Health.SILENT))
                    .isEqualTo(SHARDS);
            assertThat(sight.counts().total().ledger().answered())
                    .isEqualTo(SHARDS
                            * counted.snapshotOfSeconds().total().ledger().answered());
        }
        assertThat(namedAt - diedAt).isBetween(1L, 5L);
        assertThat(onlooker.poll(TimeUnit.SECONDS.toNanos(20))
                        .orElseThrow()
                        .rows()
                        .get(1))
                .startsWith("shard 1/4       silent");
    }

    private static LiveTotals shards(int count, LiveTotals.Health first) {
        LiveTotals sum = LiveTotals.NOTHING;
        for (int i = 0; i < count; i++) {
            sum = sum.plus(LiveTotals.of(
                    new Shard(i, count),
                    i == 0 ? first : i == 1 ? LiveTotals.Health.ENDED : LiveTotals.Health.RUNNING,
                    i * SECOND,
                    RunCounts.Snapshot.NOTHING,
                    RunSnapshot.NONE));
        }
        return sum;
    }

    @Test
    void of_many_shards_the_first_unhealthy_ones_are_listed() {
        LiveTotals few = shards(16, LiveTotals.Health.RUNNING);
        assertThat(few.elapsedNanos()).isEqualTo(15 * SECOND);
        assertThat(few.rows()).hasSize(16).last().asString().startsWith("shard 15/16");
        LiveTotals many = shards(18, LiveTotals.Health.SILENT);
        assertThat(many.rows()).hasSize(17);
        assertThat(many.rows().get(0)).isEqualTo("shard 0/18      silent");
        assertThat(many.rows().get(16)).isEqualTo("and 2 more: 16 of 18 running, 1 ended");
        assertThat(many.isOver()).isFalse();
        assertThat(shards(2, LiveTotals.Health.SILENT).isOver()).isTrue();
        assertThat(shards(2, LiveTotals.Health.EXPECTED).isOver()).isFalse();
        assertThat(shards(2, LiveTotals.Health.RUNNING).isOver()).isFalse();
    }

    private static Recording second(Random random) {
        return Results.recording(1 + random.nextInt(20), random.nextInt(2)).forTimeline();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void each_interval_of_the_sum_has_all_of_its_seconds_and_nothing_is_lost(long seed) throws IOException {
        Random random = new Random(seed);
        boolean losesNotes = seed % 2 == 0;
        agreed();
        List<Interval> told = new ArrayList<>();
        MeetingObserver leader = MeetingObserver.leading(Room.plan("the plan"), notes, Optional.of(told::add));
        List<RunCounts> counted = List.of(new RunCounts(), new RunCounts(), new RunCounts());
        List<Recording> seconds = new ArrayList<>();
        Recording all = Recording.empty();
        for (int second = 1; second <= 20; second++) {
            Recording sum = Recording.empty();
            for (int i = 0; i < SHARDS; i++) {
                boolean isDead = i == 2 && second > 9; // and what it had stays
                Recording mine = isDead ? Recording.empty() : second(random);
                sum = sum.plus(mine);
                counted.get(i).interval(new Interval((second - 1) * SECOND, second * SECOND, mine));
                if (!isDead && (second == 9 || !losesNotes || random.nextInt(3) > 0)) {
                    state(
                            i,
                            second,
                            SignedNotes.Note.Phase.RUNNING,
                            counted.get(i).snapshotOfSeconds());
                }
            }
            seconds.add(sum);
            all = all.plus(sum);
            leader.poll(second * SECOND + random.nextInt(1_000));
        }
        for (int i = 0; i < 2; i++) {
            state(i, 21, SignedNotes.Note.Phase.ENDED, counted.get(i).snapshotOfSeconds());
        }
        leader.end(leader.poll(21 * SECOND).orElseThrow());
        Recording sum = Recording.empty();
        long endNanos = 0;
        for (Interval interval : told) {
            assertThat(interval.startNanos()).isEqualTo(endNanos);
            endNanos = interval.endNanos();
            sum = sum.plus(interval.recording());
            if (!losesNotes && endNanos <= 20 * SECOND && interval.lengthNanos() == SECOND) {
                assertThat(interval.recording()).isEqualTo(seconds.get((int) (endNanos / SECOND) - 1));
            }
        }
        assertThat(told).hasSizeGreaterThan(8);
        assertThat(sum).isEqualTo(all);
    }

    @Test
    void of_another_run_nothing_is_shown() throws IOException {
        MeetingObserver onlooker = MeetingObserver.at(room.store, Room.plan("the plan"));
        assertThat(onlooker.poll(0)).isEmpty();
        agreed();
        notes.write(
                SignedNotes.Note.state(0),
                new SignedNotes.Note.State(
                        0,
                        "of yesterday",
                        1,
                        SignedNotes.Note.Phase.ENDED,
                        1,
                        RunCounts.Snapshot.NOTHING,
                        RunSnapshot.NONE));
        assertThat(onlooker.poll(0).orElseThrow().isOver()).isFalse();
        assertThat(onlooker.stop(0)).isZero();
    }
}
