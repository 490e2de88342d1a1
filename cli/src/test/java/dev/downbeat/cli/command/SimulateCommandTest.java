package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SimulateCommandTest {
    private static Shell simulate(String... more) {
        List<String> words = new ArrayList<>(List.of("simulate"));
        words.addAll(List.of(more));
        return Shell.call(words.toArray(String[]::new));
    }

    private static long number(String json, String name) {
        Matcher found = Pattern.compile("\"" + name + "\": (-?[0-9]+)").matcher(json);
        assertThat(found.find()).as(name).isTrue();
        return Long.parseLong(found.group(1));
    }

    static List<String> cases() {
        return SimulateCommand.NamedCase.ALL.stream()
                .map(SimulateCommand.NamedCase::name)
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void every_case_runs_and_given_options_override_its_own(String name) {
        Shell shell = simulate(name, "-n", "500", "--seed", "1", "--json");
        assertThat(shell.err()).startsWith("downbeat simulate: equivalent to: downbeat simulate -");
        assertThat(shell.exitCode()).isIn(0, 98, 99);
        assertThat(number(shell.out(), "planned")).isEqualTo(500);
        assertThat(shell.out()).contains("\"adds_up\": true", "\"queue\": {", "\"at_end_of_load\"");
    }

    @Test
    void the_same_command_gives_the_same_numbers() {
        String first =
                simulate("-R", "700", "-n", "5000", "--seed", "7", "-q", "-v").out();
        String second =
                simulate("-R", "700", "-n", "5000", "--seed", "7", "-q", "-v").out();
        assertThat(second).isEqualTo(first).contains("p99", "queue", "in virtual time");
    }

    /** Each interval costs as much as thousands of requests: 81 minutes must not have 4,860 of them. */
    @Test
    void hours_are_simulated_in_no_more_intervals_than_are_kept_and_their_page_is_short(@TempDir Path folder)
            throws IOException {
        Path page = folder.resolve("hours.html");
        Shell shell = simulate("-R", "1", "-d", "81m", "--seed", "1", "--json", "-o", page.toString());
        assertThat(shell.exitCode()).isZero();
        assertThat(number(shell.out(), "interval_ns")).isEqualTo(8_000_000_000L);
        assertThat(page).content().hasSizeBetween(30_000, 150_000).contains("heatmap");
    }

    @Test
    void a_case_may_be_seen_through_other_eyes() {
        Shell shell = simulate("brooker-bimodal", "--closed", "10", "-n", "1000", "--seed", "1");
        assertThat(shell.exitCode()).isZero();
        assertThat(shell.out()).contains("closed loop, 10 virtual users").contains("hyperexp:100us,10ms,0.1%");
        assertThat(shell.err()).doesNotContain("727934");
    }

    @Test
    void results_are_saved_by_their_ending_and_objectives_decide(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("a.json");
        Path log = folder.resolve("a.hlog");
        Shell shell = simulate(
                "tene-freeze", "--slo", "p99<1s", "-q", "--seed", "1", "-o", json.toString(), "-o", log.toString());
        assertThat(shell.exitCode()).isEqualTo(99);
        assertThat(shell.out()).contains("98.0 s  < 1 s MISSED");
        assertThat(Files.readString(json)).contains("\"peak\": 0");
        assertThat(Files.readString(log)).contains("simulated service", "StartTime");
    }

    @Test
    void retries_are_described_at_the_top_and_counted() {
        Shell shell = simulate("retry-budget", "-d", "1s", "--seed", "5", "-q", "-v");
        assertThat(shell.out().replaceAll("\\s+", " "))
                .contains("3 attempts", "attempt timeout 15 ms", "retry budget 10%", "amplification 1.");
    }

    @Test
    void contradictory_options_are_refused() {
        assertThat(simulate("brooker").firstErrorLine()).contains("unknown case 'brooker' (known: ");
        assertThat(simulate("--retry-budget", "10%").firstErrorLine()).contains("need --attempts of 2 or more");
        assertThat(simulate("--attempts", "2", "--give-up", "answer").firstErrorLine())
                .contains("--give-up answer needs --attempt-timeout");
        for (String option : List.of("--breaker-window=5", "--breaker-open=2s")) {
            assertThat(simulate(option).firstErrorLine())
                    .endsWith("--breaker-window and --breaker-open need --breaker");
        }
        assertThat(simulate("-t", "2").firstErrorLine()).contains("--threads must be 1");
        assertThat(simulate("--service", "slow").firstErrorLine()).contains("a law of service times is like");
        assertThat(simulate("--retry-budget", "0%", "--attempts", "2").firstErrorLine())
                .contains("a share must be above 0%");
        assertThat(simulate("--attempts", "unlimited", "--queue-limit", "3").firstErrorLine())
                .contains("need a pause");
        assertThat(simulate("-R", "1", "--closed", "1").exitCode()).isEqualTo(2);
    }
}
