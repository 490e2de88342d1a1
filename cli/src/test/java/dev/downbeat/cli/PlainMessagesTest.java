package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong lines that people have typed: each answer says what to type instead. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlainMessagesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '"',
            value = {
                "run http//HOST/ ~ no scheme: write http://HOST/ (accepted",
                "run https:/h:8443/x ~ no scheme: write https://h:8443/x (accepted",
                "run script.js ~ Downbeat runs no scripts: write the requests to a file, such as requests.http",
                "run pom.xml ~ 'pom.xml' is a file of another kind (accepted: .http, .rest, .har",
                "--no-color ~ did you mean --color never?",
                "run --no-color http://h/ ~ did you mean --color never?",
                "run --duratoin 5s http://h/ ~ did you mean --duration?",
                "version ~ did you mean --version?",
                "rnu ~ did you mean run?",
                "help sweeep ~ unknown command 'sweeep'; did you mean sweep?",
                "simulate retry-budgett ~ unknown case 'retry-budgett'; did you mean retry-budget?",
                "run http://h/ --vary connection=1,2 ~ cannot vary 'connection'; did you mean connections?",
                "run -u 10 http://h/ ~ --user must be USER:PASSWORD; PASSWORD may be @FILE or env:NAME",
                "run -z 1s -c 10 -q 200 http://h/ ~ -z was removed: use -d",
                "run http://h/ --show abc ~ 'abc' is not a whole number such as 10",
                "run http://h/ -d 10 s ~ 's' is a separate word: write value and unit without a space, such as 10s",
                "run http://h/ --watch jvm:999999999 -d 1s ~ there is no process 999999999 on this machine",
                "run http://h/ -R ~ --rate needs a value: --rate RATE",
                "run http://h/ --closed ~ --closed needs a value: --closed N",
                "run http://h/ --slo p999<50ms ~ p999 is written p99.9",
                "run http://h/ --vary foo=1,2 ~ --vary cannot vary 'foo' (known: connections",
                "run http://h/ -R 100.. ~ '100..' is not a ramp: it needs a rate at each end, such as 100..900/s",
                "run @missing ~ missing: no such file (@FILE holds more options)",
                "run --color maybe http://h/ ~ --color must be one of auto, always, never, but was 'maybe'",
                "audit ~ FILE is missing: downbeat audit FILE... [--tolerance 10%] [-o FILE]",
                "report ~ give a saved run, such as run.downbeat, or --last for the last run"
            })
    void a_wrong_line_is_answered_with_what_works(String words, String answer) {
        Shell shell = Shell.call(words.split(" "));
        assertThat(shell.err()).contains(answer);
        assertThat(shell.exitCode()).isEqualTo(2);
    }

    @Test
    void a_command_that_is_nearly_known_is_answered_without_the_list_of_all() {
        assertThat(Shell.call("rnu").err()).startsWith("downbeat: unknown command 'rnu'\ndid you mean run?\n");
        assertThat(Shell.call("xxxxxx").firstErrorLine())
                .startsWith("downbeat: unknown command 'xxxxxx' (known: run, ");
    }

    @Test
    void a_flag_takes_no_value() {
        assertThat(Shell.call("run", "--help=sqs").firstErrorLine()).isEqualTo("downbeat run: --help takes no value");
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "-q=loud").firstErrorLine())
                .isEqualTo("downbeat run: --quiet takes no value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"report FILE", "compare FILE FILE", "history FILE FILE", "explain FILE", "rerun FILE"})
    void an_object_of_a_store_is_no_missing_file(String words) {
        Shell shell = Shell.call(words.replace("FILE", "s3://bucket/x.downbeat").split(" "));
        assertThat(shell.firstErrorLine())
                .endsWith("s3://bucket/x.downbeat: only 'merge s3://BUCKET/FOLDER/' reads from a store");
        assertThat(shell.exitCode()).isEqualTo(2);
    }

    @Test
    void a_folder_that_takes_no_file_is_refused_before_the_run() {
        Shell shell = Shell.call("run", "http://127.0.0.1:1/", "-d", "1s", "-o", "/proc/x.html");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.firstErrorLine()).contains("-o /proc/x.html cannot be written: ");
    }

    @Test
    @EnabledOnOs(OS.LINUX) // elsewhere, the JVM reads UTF-8 in any locale
    void characters_that_the_locale_lacks_are_refused_and_not_replaced() throws Exception {
        String line = "exec \"$0\" -cp \"$1\" dev.downbeat.cli.DownbeatMain run http://127.0.0.1:1/ --data "
                + "\"$(printf '\\303\\274')\"";
        ProcessBuilder builder = new ProcessBuilder(
                "sh",
                "-c",
                line,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                System.getProperty("java.class.path"));
        builder.environment().put("LC_ALL", "C");
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).startsWith("downbeat: the locale's character set, ANSI_X3.4-1968, lacks characters of the");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    void given_load_options_are_not_reported_missing() {
        assertThat(Shell.call("run", "http://127.0.0.1:1/", "-d", "1s").err())
                .contains("no rate given, using ", "(set with -R)");
    }
}
