package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.testing.NotShown;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The screen of a run on a real terminal of 80 columns, by tmux. Without tmux the build lists these tests as NOT SHOWN.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveScreenTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int COLUMNS = 80;
    private static final int NARROW = 62;
    private static final String COLOUR = "\u001b[";

    @TempDir
    private Path folder;

    private boolean begun;

    @BeforeEach
    void need_tmux() throws Exception {
        if (!Files.isExecutable(Path.of("/usr/bin/tmux")) && !Files.isExecutable(Path.of("/usr/local/bin/tmux"))) {
            throw NotShown.because("no tmux", "the live screen on a terminal; install tmux to have it tested");
        }
        begun = true;
    }

    @AfterEach
    void end() throws Exception {
        if (begun) {
            tmux("kill-server");
        }
    }

    /** In two windows: one with and one without colours. */
    @Test
    void live_lines_are_redrawn_in_place_and_replaced_by_the_report() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            open("plain", "NO_COLOR=1", server.uri());
            open("coloured", "A=b", server.uri());
            // the objective appears with the first answer, the curve after a second
            List<String> live = await(
                    "plain",
                    screen -> screen.contains("whole run") && screen.contains("p99<") && screen.contains("worst per"));
            assertLive(live);
            tmux("resize-window", "-t", "coloured", "-x", Integer.toString(NARROW), "-y", "24");
            assertReportOnly(await("plain", screen -> screen.contains("shown with -v")));
            List<String> narrow = await("coloured", screen -> screen.contains("shown with -v"));
            assertThat(narrow).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(NARROW));
        }
        assertThat(tmux("capture-pane", "-e", "-p", "-S", "-", "-t", "plain")).doesNotContain(COLOUR);
        assertThat(tmux("capture-pane", "-e", "-p", "-S", "-", "-t", "coloured"))
                .contains(COLOUR);
    }

    private static void assertLive(List<String> lines) {
        assertThat(lines.get(0)).isEqualTo("$ downbeat");
        assertThat(lines.get(1)).startsWith("downbeat run   GET http://127.0.0.1");
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThan(COLUMNS));
        for (String begin : List.of("  done ", "  last second ", "  whole run ", "  service ")) {
            assertThat(lines)
                    .filteredOn(line -> line.startsWith(begin))
                    .as(begin)
                    .hasSize(1);
        }
        assertThat(lines).anyMatch(line -> line.matches("  (on time|LATE): late by .* at most"));
        int table = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("  last second"))
                .findFirst()
                .orElseThrow());
        assertThat(lines.get(table - 1)).contains("p50", "max").doesNotContain("p99.9"); // of at most 400 requests
        assertThat(lines.get(table + 1)).startsWith("  whole run").contains("p99<");
    }

    /** The live lines are gone, and each line of the report appears once. */
    private static void assertReportOnly(List<String> lines) {
        String all = String.join("\n", lines);
        assertThat(all).doesNotContain("last second", "worst per second", "whole run");
        for (String once : List.of("callers waited", "/s answered", "shown with -v")) {
            assertThat(all.split(once, -1)).as(once).hasSize(2);
        }
        assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(COLUMNS));
    }

    private void open(String window, String variable, String uri) throws Exception {
        String run = String.join(
                " ",
                "echo '$ downbeat'; exec env", // as in a shell; some terminals differ on the first line
                variable,
                "DOWNBEAT_LAST=off",
                "LC_ALL=C.UTF-8",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -jar",
                Checkout.jar().toString(),
                "run",
                uri,
                "-R 200 -d 2s --slo 'p99<5s' --accept-unsound");
        tmux("new-session", "-d", "-s", window, "-x", "80", "-y", "24", run, ";", "set-option", "remain-on-exit", "on");
    }

    /** Waits until the screen of a window is as {@code wanted}. */
    private List<String> await(String window, Predicate<String> wanted) throws Exception {
        long startedAt = System.nanoTime();
        while (true) {
            String screen = tmux("capture-pane", "-p", "-S", "-", "-t", window);
            if (wanted.test(screen)) {
                return screen.lines().toList();
            }
            assertThat(System.nanoTime() - startedAt).as(screen).isLessThan(PATIENCE.toNanos());
            LockSupport.parkNanos(100_000_000);
        }
    }

    /** Uses its own tmux server, so that other windows are not touched. */
    private String tmux(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tmux", "-u", "-f", "/dev/null", "-S"));
        command.add(folder.resolve("socket").toString());
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .keySet()
                .removeIf(name ->
                        List.of("TMUX", "NO_COLOR", "CLICOLOR_FORCE", "COLUMNS").contains(name));
        builder.environment().put("TERM", "xterm-256color");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return out;
    }
}
