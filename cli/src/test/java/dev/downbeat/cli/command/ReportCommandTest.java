package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code report a.downbeat --with b.downbeat}: another run, drawn over the pictures of one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReportCommandTest {
    @TempDir
    private Path folder;

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    @BeforeEach
    void make_runs() {
        simulate("slow.downbeat", "8ms");
        simulate("quick.downbeat", "2ms");
    }

    private void simulate(String name, String service) {
        assertThat(Shell.call(
                                "simulate",
                                "-R",
                                "500",
                                "-d",
                                "4s",
                                "--service",
                                service,
                                "--servers",
                                "64",
                                "--seed",
                                "1",
                                "-q",
                                "-o",
                                file(name))
                        .exitCode())
                .isZero();
    }

    @Test
    void another_run_is_drawn_over_the_page_and_has_a_column() throws IOException {
        Shell shell =
                Shell.call("report", file("slow.downbeat"), "--with", file("quick.downbeat"), "-o", file("page.html"));
        assertThat(shell.exitCode()).as(shell.err()).isZero();
        String page = Files.readString(folder.resolve("page.html"));
        assertThat(page).contains("response time of quick.downbeat.", "p90 of quick.downbeat.", ">quick.downbeat</th>");
        assertThat(page).contains("p50: response 8.00 ms, service 8.00 ms; quick.downbeat 2.00 ms");
    }

    @Test
    void without_a_page_or_one_run_it_is_refused() {
        String slow = file("slow.downbeat");
        String quick = file("quick.downbeat");
        String why = "--with draws another run over a page: give -o NAME.html";
        assertThat(Shell.call("report", slow, "--with", quick).firstErrorLine()).contains(why);
        Shell several = Shell.call("report", slow, quick, "--with", quick, "-o", file("page.html"));
        assertThat(several.exitCode()).isEqualTo(2);
        assertThat(several.firstErrorLine()).contains("report takes one file");
        Shell missing = Shell.call("report", slow, "--with", file("none.downbeat"), "-o", file("page.html"));
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.firstErrorLine()).contains("none.downbeat");
    }
}
