package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.ShardResults;
import dev.downbeat.cli.Shell;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.file.RunFile;
import dev.downbeat.run.ShardRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MergeCommandTest {
    @TempDir
    Path folder;

    private ShardResults results;

    @BeforeEach
    void folder() {
        results = new ShardResults(folder);
    }

    private static Shell merge(Object... words) {
        List<String> args = new ArrayList<>(List.of("merge"));
        for (Object word : words) {
            args.add(word.toString());
        }
        return Shell.call(args.toArray(String[]::new));
    }

    @Test
    void the_sum_does_not_replace_a_shard() throws IOException {
        Path first = results.shard(0, 2);
        byte[] before = Files.readAllBytes(first);
        Shell refused = merge(first, results.shard(1, 2), "-o", first);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.firstErrorLine())
                .isEqualTo("downbeat merge: -o " + first + " would overwrite the input file: choose another name");
        assertThat(first).hasBinaryContent(before);
    }

    @Test
    void a_result_in_JSON_is_refused_as_by_other_commands() throws IOException {
        Path json = Files.writeString(folder.resolve("a.json"), "{}");
        Shell refused = merge(json, results.shard(1, 2));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err()).contains(json + ": JSON does not contain histograms");
    }

    @Test
    void all_shards_make_one_result_that_can_be_kept_and_shown() throws IOException {
        Path merged = folder.resolve("merged.downbeat");
        Shell shell = merge(results.shard(1, 3), results.shard(0, 3), results.shard(2, 3), "-v", "-o", merged);

        assertThat(shell.err()).isEmpty();
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out())
                .contains("planned 300 = answered 300")
                .contains("3 processes, merged losslessly")
                .contains("3 shards")
                .contains("p50 < 50 ms");
        RunReport report = RunFile.read(merged);
        assertThat(report.result().ledger().planned()).isEqualTo(300);
        assertThat(report.result().recording().response().count()).isEqualTo(300);
        assertThat(report.result().shards()).extracting(ShardRun::shard).containsExactly(0, 1, 2);
        assertThat(report.command()).containsExactly("downbeat", "run", "http://localhost:8080/orders");
    }

    /** Its requests would look like an overload next to the whole plan's rate. */
    @Test
    void the_report_of_one_shard_says_of_how_many_it_is() throws IOException {
        assertThat(Shell.call("report", results.shard(1, 3).toString()).out()).contains("shard 1/3 of Poisson 1,000/s");
    }

    @Test
    void missing_parts_are_named() throws IOException {
        Shell shell = merge(results.shard(0, 4), results.shard(2, 4));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err().lines())
                .containsExactly(
                        "downbeat merge: shard 1/4 is missing (--partial merges the rest)",
                        "downbeat merge: shard 3/4 is missing (--partial merges the rest)");
    }

    @Test
    void the_rest_can_be_merged_and_is_unsound() throws IOException {
        Shell shell = merge(results.shard(0, 4), results.shard(2, 4), "--partial", "-v");
        assertThat(shell.exitCode()).isEqualTo(98);
        assertThat(shell.out())
                .contains("UNSOUND")
                .contains("no result came from shards 1 and 3 of 4")
                .contains("planned 200");
    }

    @Test
    void every_result_agrees_with_the_exit_code_if_an_unsound_sum_is_accepted() throws IOException {
        Path xml = folder.resolve("sum.xml");
        Shell refused = merge(results.shard(0, 4), results.shard(2, 4), "--partial", "--json", "-o", xml);
        assertThat(refused.exitCode()).isEqualTo(98);
        assertThat(refused.out()).contains("\"exit_code\": 98");
        assertThat(Files.readString(xml)).contains("<error ");
        Shell accepted =
                merge(results.shard(0, 4), results.shard(2, 4), "--partial", "--accept-unsound", "--json", "-o", xml);
        assertThat(accepted.exitCode()).isZero();
        assertThat(accepted.out()).contains("\"exit_code\": 0");
        assertThat(Files.readString(xml)).doesNotContain("<error ").contains("<skipped ");
    }

    /** Otherwise a build that reads the code would pass where one that reads the JUnit file fails. */
    @Test
    void a_sum_with_a_stopped_shard_ends_with_130() throws IOException {
        Path xml = folder.resolve("sum.xml");
        for (Path other : List.of(results.stopped(1, 2), results.shard(1, 2))) {
            Shell sum = merge(results.stopped(0, 2), other, "--accept-unsound", "--json", "-o", xml);
            assertThat(sum.out()).contains("\"ending\": \"interrupted\"", "\"exit_code\": 130");
            assertThat(Files.readString(xml)).contains("<error type=\"partial\"");
            assertThat(sum.exitCode()).isEqualTo(130);
        }
    }

    @Test
    void a_shard_that_is_there_twice_is_named() throws IOException {
        Path again = folder.resolve("again.downbeat");
        Files.copy(results.shard(1, 2), again, StandardCopyOption.REPLACE_EXISTING);
        Shell shell = merge(results.shard(0, 2), results.shard(1, 2), again);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err().lines()).hasSize(1).first().asString().contains("shard 1/2 is given 2 times: ", "again");
    }

    @Test
    void a_shard_of_another_plan_is_named() throws IOException {
        Shell shell = merge(results.shard(0, 3), results.ofPlan(1, 3, "xyz"), results.shard(2, 3));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err().lines()).hasSize(2);
        assertThat(shell.err())
                .contains("shard-xyz-1.downbeat belongs to another plan: xyz, but the others belong to abc")
                .contains("shard 1/3 is missing");
    }

    @Test
    void a_part_of_another_division_of_the_load_is_named() throws IOException {
        Shell shell = merge(results.shard(0, 1), results.shard(1, 2), "--partial");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err().lines())
                .containsExactly("downbeat merge: " + folder.resolve("shard-abc-1.downbeat")
                        + " is shard 1/2, but the others are shards of 1: the load was divided in two ways");
    }

    @Test
    void a_shard_that_began_late_is_named_and_merged_only_if_that_is_wanted() throws IOException {
        Path late = results.late(1, 2, Duration.ofSeconds(5));
        Shell refused = merge(results.shard(0, 2), late);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.err().lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("downbeat merge: shard 1/2 started 5.00 s after shard 0/2 (")
                .endsWith("): more than --max-skew 100 ms");

        Shell taken = merge(results.shard(0, 2), late, "--max-skew", "10s");
        assertThat(taken.exitCode()).isEqualTo(98);
        assertThat(taken.out())
                .contains("the shards did not start together: the last started 5.00 s")
                .contains("this shard missed the planned start");
    }

    @Test
    void events_watched_by_a_shard_are_kept_once_on_the_common_clock() throws IOException {
        Path merged = folder.resolve("merged.downbeat");
        merge(results.watching(0, 3), results.watching(1, 3), results.late(2, 3, Duration.ofMillis(4)), "-o", merged);
        assertThat(RunFile.read(merged).why().watched()).singleElement().satisfies(seen -> {
            assertThat(seen.source()).isEqualTo("pid:1");
            assertThat(seen.events()).hasSize(1);
            assertThat(seen.uncertaintyNanos()).isEqualTo(4_000_000);
        });

        merge(results.watching(0, 2), results.late(1, 2, Duration.ofMillis(40)), "-o", merged);
        assertThat(RunFile.read(merged).why().notes())
                .containsExactly("pid:1: its clock is known only to 40.0 ms, not to 10 ms: its events are left out");
    }

    @Test
    void one_sick_generator_is_seen() throws IOException {
        Shell shell = merge(results.shard(0, 3), results.sick(1, 3), results.shard(2, 3));
        assertThat(shell.exitCode()).isEqualTo(98);
        assertThat(shell.out()).contains("shard 1 of 3 is unsound: the planned");
        assertThat(shell.out().lines().filter(line -> line.endsWith("doubtful")))
                .hasSize(1)
                .first()
                .asString()
                .contains("2.00 s")
                .contains("0.25 of 2");
    }

    @Test
    void a_file_that_is_not_a_shard_is_named() throws IOException {
        Path merged = folder.resolve("merged.downbeat");
        assertThat(merge(results.shard(0, 2), results.shard(1, 2), "-o", merged).exitCode())
                .isZero();
        Shell shell = merge(results.shard(0, 2), results.shard(1, 2), merged);
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err())
                .contains("merged.downbeat is not a shard of a plan")
                .contains("is the sum of shards already");

        Shell nothing = merge(folder.resolve("none.downbeat"));
        assertThat(nothing.exitCode()).isEqualTo(2);
        assertThat(nothing.err()).contains("cannot read").contains("none.downbeat");
    }

    @Test
    void an_unreadable_file_is_named_once() throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.downbeat"), "abc");
        assertThat(merge(bad).err())
                .isEqualTo("downbeat merge: " + bad + ": not a result saved with -o NAME.downbeat\n");
    }

    @Test
    void the_sum_is_in_json_too() throws IOException {
        Shell shell = merge(results.shard(0, 2), results.shard(1, 2), "--json");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out())
                .contains("\"shards\": [")
                .contains("\"lateness_p99_ns\": 0")
                .contains("\"adds_up\": true");
    }
}
