package dev.downbeat.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import dev.downbeat.loopback.DelayLaw;
import dev.downbeat.loopback.LoopbackOptions;
import dev.downbeat.loopback.LoopbackServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SheetCommandTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private static double typical(String json, String code) {
        Matcher found = Pattern.compile("\"code\": \"" + code + "\"[^}]*\"typical[a-z_]*\": ([0-9.]+)")
                .matcher(json);
        assertThat(found.find()).as(code + " in " + json).isTrue();
        return Double.parseDouble(found.group(1));
    }

    /** One request at a time, 20 ms each: 50/s at the most, a little less where sleeping takes longer. */
    @Test
    void the_sheet_of_a_server_with_a_known_law() throws IOException {
        Path json = folder.resolve("sheet.json");
        Path html = folder.resolve("sheet.html");
        Path markdown = folder.resolve("sheet.md");
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.builder()
                .concurrency(1)
                .delay(DelayLaw.parse("20ms"))
                .build())) {
            Shell shell = Shell.call(
                    "sheet",
                    server.uri(),
                    "-R",
                    "100",
                    "--slo",
                    "p90<4s",
                    "--slo",
                    "errors<10%",
                    "--budget",
                    "8s",
                    "--drain",
                    "200ms",
                    "--accept-unsound",
                    "-q",
                    "-o",
                    json.toString(),
                    "-o",
                    html.toString(),
                    "-o",
                    markdown.toString());
            assertThat(shell.exitCode()).as(shell.err()).isIn(0, 99); // by how far the budget went
            assertThat(shell.out()).contains("GET http").contains("\nRate\n").contains("Cold start");
        }
        String saved = Files.readString(json);
        assertThat(saved).contains("\"kind\": \"sheet\"");
        assertThat(typical(saved, "saturation")).isLessThan(75); // three seconds tell it roughly
        assertThat(typical(saved, "request_1")).isGreaterThan(20e6);
        assertThat(Files.readString(html)).contains("<h1>").contains("A new connection");
        assertThat(Files.readString(markdown)).startsWith("## ").contains("### Rate");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:1/ --budget 1s|--budget must be at least 8s",
                "http://127.0.0.1:1/ --quick --budget 1m|mutually exclusive",
                "http://127.0.0.1:1/ -o x.csv|a sheet is saved as .html, .json, .md, .xml or .txt",
                "sqs:orders --region x --operation delivery|--operation delivery is no request on one connection",
                "sqs:orders --method PUT|--method is for HTTP targets only"
            })
    void contradictions_are_refused_before_anything_is_sent(String words, String reason) {
        Shell shell = Shell.call(("sheet " + words).split(" ", -1));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).startsWith("downbeat sheet: ").contains(reason);
    }

    @Test
    void nobody_there_is_one_clear_line() throws IOException {
        Shell shell = Shell.call("sheet", "http://127.0.0.1:" + LoopbackServer.freePort() + "/", "-q");
        assertThat(shell.exitCode()).isEqualTo(1);
        assertThat(shell.firstErrorLine()).startsWith("downbeat sheet: nothing could be measured");
    }
}
