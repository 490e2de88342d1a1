package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of other tools from the command line: what is said, where it goes, and the exit code. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AuditCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    /** Of JMeter: so many threads, 20 ms a sample, 10 s, and a freeze from 4 s on. */
    private String jtl(int threads, int freezeMillis) throws IOException {
        List<String> rows = new ArrayList<>();
        rows.add("timeStamp,elapsed,label,responseCode,threadName,success,URL");
        for (int thread = 0; thread < threads; thread++) {
            int at = thread * 20 / threads;
            while (at < 10_000) {
                int elapsed = 20 + (at < 4_000 && at + 20 >= 4_000 ? freezeMillis : 0);
                rows.add(1_700_000_000_000L + at + "," + elapsed + ",home,200,Users 1-" + thread
                        + ",true,http://shop.example/");
                at += elapsed;
            }
        }
        Path file = folder.resolve("results-" + threads + "-" + freezeMillis + ".jtl");
        Files.write(file, rows);
        return file.toString();
    }

    @Test
    void a_freeze_that_the_tool_hid_is_99_with_bounds_and_the_command_that_measures_it() throws IOException {
        Shell told = Shell.call("audit", jtl(8, 2_000));
        assertThat(told.exitCode()).isEqualTo(99);
        assertThat(told.out())
                .contains("Reported p99: 20.0 ms; callers waited 1.9")
                .containsPattern("callers waited 1[.]9\\d s to 2[.]")
                .contains("8 users, each waits for its response")
                .contains("downbeat run http://shop.example/ -R 399 -d 10s");
    }

    @Test
    void several_files_use_short_names_and_fit_a_screen() throws IOException {
        Shell told = Shell.call("audit", jtl(8, 2_000), jtl(8, 0));
        assertThat(told.out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(told.out())
                .contains("  results-8-2000.jtl  MISLEADING  Reported p99: 20.0 ms")
                .contains("  results-8-0.jtl     sound       The reported percentiles hide no stall.");
    }

    @Test
    void nothing_hidden_is_0_and_one_user_alone_is_98() throws IOException {
        assertThat(Shell.call("audit", jtl(8, 0)).exitCode()).isZero();
        assertThat(Shell.call("audit", jtl(2, 0), jtl(1, 2_000)).exitCode()).isEqualTo(98);
        assertThat(Shell.call("audit", jtl(8, 2_000), "--tolerance", "9999%").exitCode())
                .isEqualTo(98);
        Path page = folder.resolve("undecided.html");
        Shell.call("audit", jtl(1, 2_000), "-o", page.toString());
        assertThat(page).content().contains("class=\"verdict open\"");
    }

    @Test
    void an_unreadable_file_is_exit_code_2_and_one_line() throws IOException {
        Path file = folder.resolve("strange.jtl");
        Files.writeString(file, "timeStamp,elapsed,label\n1700000000000,20,a\n1700000000000,many,a\n");
        Shell told = Shell.call("audit", file.toString());
        assertThat(told.exitCode()).isEqualTo(2);
        assertThat(told.err().lines()).hasSize(1);
        assertThat(told.err()).contains("strange.jtl: line 3: 'many' is no whole number");
        assertThat(Shell.call("audit", folder.resolve("none").toString()).exitCode())
                .isEqualTo(2);
        assertThat(Shell.call("audit").exitCode()).isEqualTo(2);
    }

    @Test
    void the_result_is_saved_in_every_format() throws IOException {
        List<String> words = new ArrayList<>(List.of("audit", jtl(8, 2_000)));
        for (String ending : List.of("html", "json", "md", "txt", "xml")) {
            words.addAll(List.of("-o", folder.resolve("audit." + ending).toString()));
        }
        assertThat(Shell.call(words.toArray(String[]::new)).exitCode()).isEqualTo(99);
        assertThat(folder.resolve("audit.json")).content().contains("\"verdict\": \"hides\"", "omitted_requests");
        assertThat(folder.resolve("audit.html")).content().contains("callers waited 1.9");
    }
}
