package dev.downbeat.gatling.version;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.downbeat.verdict.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AfterReportTest {
    @TempDir
    private Path results;

    @Test
    void a_page_in_another_folder_is_linked_and_a_corrected_one_is_left_alone() throws Exception {
        Path page = results.resolve("index.html");
        Path other = results.resolve("other/downbeat.html");
        for (Optional<Path> corrected : List.of(Optional.<Path>empty(), Optional.of(other))) {
            Files.writeString(page, "<html><body></body></html>");
            assertThat(LogbackStop.schedule(new AfterReport(results, corrected, ExitCode.MET, () -> false)))
                    .isTrue();
            ((LoggerContext) LoggerFactory.getILoggerFactory()).stop();
            assertThat(Files.readString(page).contains("href=\"" + other.toUri() + "\""))
                    .isEqualTo(corrected.isPresent());
        }
    }

    @Test
    void each_of_several_Gatling_pages_in_one_JVM_links_to_Downbeats() throws Exception {
        for (String run : new String[] {"first", "second", "third"}) {
            Path folder = Files.createDirectory(results.resolve(run));
            Path page =
                    Files.writeString(folder.resolve("index.html"), "<html><body><p>200 requests</p></body></html>");
            assertThat(LogbackStop.schedule(new AfterReport(
                            folder, Optional.of(folder.resolve("downbeat.html")), ExitCode.MET, () -> false)))
                    .isTrue();
            ((LoggerContext) LoggerFactory.getILoggerFactory()).stop(); // as Gatling does after its report
            assertThat(page).as(run).content().contains("href=\"downbeat.html\"", "200 requests");
        }
    }
}
