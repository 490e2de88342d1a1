package dev.downbeat.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Calls the command line within this process and keeps what it says. */
public record Shell(int exitCode, String out, String err) {
    public static Shell call(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), args);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        int exitCode = DownbeatMain.execute(line, args);
        return new Shell(exitCode, out.toString(), err.toString());
    }

    public String firstErrorLine() {
        return err.lines().findFirst().orElse("");
    }
}
