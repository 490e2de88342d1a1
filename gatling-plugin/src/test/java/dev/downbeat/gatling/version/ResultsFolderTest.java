package dev.downbeat.gatling.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResultsFolderTest {
    @Test
    void where_the_system_lists_no_open_files_the_command_line_tells_where_to_look() {
        assertThat(ResultsFolder.roots("io.gatling.app.Gatling -s a.B -rf /tmp/results -nr"))
                .startsWith(Path.of("/tmp/results"))
                .contains(Path.of("target", "gatling"));
        assertThat(ResultsFolder.roots("io.gatling.app.Gatling -rf")).isNotEmpty();
    }

    @Test
    void a_log_of_before_is_another_runs(@TempDir Path root) throws IOException {
        Path fresh = Files.createDirectories(root.resolve("orders-2")).resolve("simulation.log");
        Path old = Files.createDirectories(root.resolve("orders-1")).resolve("simulation.log");
        Files.writeString(fresh, "");
        Files.writeString(old, "");
        Files.setLastModifiedTime(old, FileTime.fromMillis(System.currentTimeMillis() - 10_000));
        assertThat(ResultsFolder.logsBelow(List.of(root, root.resolve("absent")), System.currentTimeMillis()))
                .containsExactly(fresh);
    }

    @Test
    void each_run_gets_its_own_folder() {
        LocalDateTime now = LocalDateTime.of(2026, 11, 22, 10, 0);
        assertThat(ResultsFolder.own("my.Shop$Orders", now))
                .isEqualTo(Path.of("downbeat-results", "Shop-Orders-20261122100000000"));
        assertThat(ResultsFolder.own("a.B", now)).isNotEqualTo(ResultsFolder.own("a.B", now.plusNanos(1_000_000)));
    }
}
