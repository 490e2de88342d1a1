package dev.downbeat.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.DownbeatMain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ErrorLinesTest {
    private static String said(IOException thrown) {
        StringWriter err = new StringWriter();
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), "serve");
        line.setErr(new PrintWriter(err, true));
        assertThat(ErrorLines.thrown(thrown, line, line.parseArgs("serve"))).isEqualTo(1);
        return err.toString().strip();
    }

    @Test
    void a_file_that_ends_a_command_is_named_with_the_reason() {
        assertThat(said(new NoSuchFileException("/gone/downbeat-1")))
                .isEqualTo("downbeat: /gone/downbeat-1: no such file or folder");
        assertThat(said(new AccessDeniedException("/closed"))).isEqualTo("downbeat: /closed: no permission");
        assertThat(new NoMeasurement(new AccessDeniedException("/closed")))
                .hasMessage("nothing could be measured: /closed: no permission");
    }
}
