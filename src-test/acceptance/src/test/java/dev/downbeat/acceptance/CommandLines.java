package dev.downbeat.acceptance;

import dev.downbeat.cli.DownbeatMain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import picocli.CommandLine;

/** The command line's own parser, in this process. */
final class CommandLines {
    private CommandLines() {}

    /** The parser with its error handlers, as the process builds it; reflective because only tests need it. */
    static CommandLine parser() {
        try {
            Method factory = DownbeatMain.class.getDeclaredMethod("commandLine");
            factory.setAccessible(true);
            return (CommandLine) factory.invoke(null);
        } catch (ReflectiveOperationException moved) {
            throw new LinkageError("DownbeatMain.commandLine() has changed: " + moved, moved);
        }
    }

    /** Runs a command line in this process. */
    static Cli.Ending execute(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine parser = parser();
        parser.setOut(new PrintWriter(out));
        parser.setErr(new PrintWriter(err));
        int code = parser.execute(words);
        return new Cli.Ending(code, out.toString(), err.toString());
    }
}
