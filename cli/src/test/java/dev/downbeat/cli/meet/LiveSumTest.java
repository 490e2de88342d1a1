package dev.downbeat.cli.meet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.ShardResults;
import dev.downbeat.cli.job.Counted;
import dev.downbeat.record.Recording;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.Live;
import dev.downbeat.run.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of shards while they run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveSumTest {
    private static final int SHARDS = 3;

    @TempDir
    Path folder;

    private final Room room = new Room(1, Duration.ZERO);
    private final Notes notes = new Notes(room.board, room.token);

    private void agreed() throws IOException {
        List<Note.Member> members = new ArrayList<>();
        for (int i = 0; i < SHARDS; i++) {
            members.add(new Note.Member(i, "id-" + i));
        }
        notes.write(Note.AGREED, new Note.Agreed("", 0, members));
    }

    private void state(int shard, long beat, Note.Phase phase, Counted counted) throws IOException {
        notes.write(
                Note.state(shard),
                new Note.State(
                        shard,
                        "id-" + shard,
                        beat,
                        phase,
                        beat,
                        counted.snapshot().light(),
                        Live.NONE));
    }

    @Test
    void the_sum_is_that_of_the_merged_results() throws IOException {
        ShardResults results = new ShardResults(folder);
        agreed();
        Recording merged = Recording.empty();
        for (int i = 0; i < SHARDS; i++) {
            RunResult result = RunFile.read(results.shard(i, SHARDS)).result();
            Counted counted = new Counted();
            result.intervals().forEach(counted::interval);
            state(i, 1, Note.Phase.ENDED, counted);
            merged = merged.plus(result.recording());
        }
        Onlooker.Sight sight =
                Onlooker.at(room.board, Room.plan("the plan")).look(0).orElseThrow();
        Recording sum = sight.sum().seen().total();
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
        Counted counted = new Counted();
        RunFile.read(results.shard(0, SHARDS)).result().intervals().forEach(counted::interval);
        Onlooker onlooker = Onlooker.at(room.board, Room.plan("the plan"));
        long diedAt = 4;
        long namedAt = -1;
        for (long second = 1; second < 20; second++) {
            for (int i = 0; i < SHARDS; i++) {
                if (i != 1 || second <= diedAt) {
                    state(i, second, Note.Phase.RUNNING, counted);
                }
            }
            Onlooker.Sight sight =
                    onlooker.look(TimeUnit.SECONDS.toNanos(second)).orElseThrow();
            namedAt = namedAt < 0 && sight.silent() == 1 ? second : namedAt;
            assertThat(sight.running() + sight.silent()).isEqualTo(SHARDS);
            assertThat(sight.sum().seen().total().ledger().answered())
                    .isEqualTo(SHARDS * counted.snapshot().total().ledger().answered());
        }
        assertThat(namedAt - diedAt).isBetween(1L, 5L);
        assertThat(onlooker.look(TimeUnit.SECONDS.toNanos(20))
                        .orElseThrow()
                        .rows()
                        .get(1))
                .startsWith("  shard 1/4       silent");
    }

    @Test
    void of_another_run_nothing_is_shown() throws IOException {
        Onlooker onlooker = Onlooker.at(room.board, Room.plan("the plan"));
        assertThat(onlooker.look(0)).isEmpty();
        agreed();
        notes.write(
                Note.state(0),
                new Note.State(0, "of yesterday", 1, Note.Phase.ENDED, 1, Counted.Snapshot.NOTHING, Live.NONE));
        assertThat(onlooker.look(0).orElseThrow().isOver()).isFalse();
        assertThat(onlooker.stop()).isZero();
    }
}
