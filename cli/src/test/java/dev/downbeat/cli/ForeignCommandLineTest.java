package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of other tools are answered with ours, and never run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignCommandLineTest {
    @ParameterizedTest
    @ValueSource(strings = {"run http://127.0.0.1:1/ -R 100 -z 10s", "run http://127.0.0.1:1/ --closed 5 -z 1s"})
    void our_own_line_with_the_duration_of_another_tool_is_not_taken_for_its(String line) {
        Shell shell = Shell.call(line.split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("-z was removed: use -d");
    }

    @Test
    void a_path_that_ends_in_the_name_of_a_tool_is_a_target() {
        Shell shell = Shell.call("run", "http://127.0.0.1:1/ab", "-R", "100", "-d", "1s");
        assertThat(shell.err()).doesNotContain("a line of ab");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "k6 run http://h/",
                "vegeta attack -rate=50 http://h/",
                "run bombardier http://h/",
                "h2load -n 1 http://h/",
                "/usr/bin/wrk -t2 -c10 -d30s http://h/",
                "run oha -q 200 -z 10s http://h/",
                "hey -x http://proxy:3128 http://h/",
                "wrk -H Referer:https://a/ http://h/"
            })
    void a_line_of_another_tool_is_answered_with_the_shape_of_ours(String pasted) {
        Shell shell = Shell.call(pasted.split(" ", -1));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains("\n  downbeat run http://h/ -R 100 -d 10s\n");
    }

    @Test
    void a_host_without_a_scheme_is_kept() {
        assertThat(Shell.call("oha", "-q", "5", "h:8080/x").err()).contains("\n  downbeat run http://h:8080/x -R 100");
        assertThat(Shell.call("wrk", "-c", "5").err()).contains("\n  downbeat run http://HOST/ -R 100");
    }

    @Test
    void a_curl_line_becomes_a_request() {
        Shell shell = Shell.call("curl", "-H", "Accept: b", "-u", "a:pw", "http://h/");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err())
                .contains("downbeat run --curl 'curl -H '\\''Accept: b'\\'' -u '\\''***'\\'' http://h/' -R 100 -d 10s");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "curl -uann:HUSH http://h/",
                "curl --oauth2-bearer HUSH http://h/",
                "curl -dkey=HUSH http://h/",
                "curl --json=HUSH http://h/",
                "http://h/ --user=ann:HUSH",
                "http://h/ -uann:HUSH"
            })
    void a_suggested_line_shows_no_secret(String line) {
        assertThat(Shell.call(line.split(" ")).err())
                .contains("downbeat run ", "***")
                .doesNotContain("HUSH");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"http://localhost:8080/", "run localhost:8080", "localhost:8080/x -R 5", "run 127.0.0.1:80"})
    void a_line_that_lacks_a_word_is_completed(String line) {
        Shell shell = Shell.call(line.split(" ", -1));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("\n  downbeat run http://");
    }

    @Test
    void clustered_options_are_no_help() {
        Shell shell = Shell.call("run", "-h2", "http://h/");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
    }

    @Test
    void an_option_that_is_gone_names_what_replaces_it() {
        assertThat(Shell.call("run", "--targets", "t.txt").err()).contains("for --curl @FILE");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"sheet http://h/ -o sheet.html", "help sheet", "sheet --help"})
    void a_command_that_is_gone_names_what_replaces_it(String line) {
        assertThat(Shell.call(line.split(" ")).exitCode()).isEqualTo(2);
        assertThat(Shell.call(line.split(" ")).firstErrorLine())
                .startsWith("downbeat: the command 'sheet' was removed: 'downbeat sweep TARGET");
    }
}
