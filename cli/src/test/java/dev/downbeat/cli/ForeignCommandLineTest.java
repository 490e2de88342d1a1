package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of other tools are answered with ours, and never run. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ForeignCommandLineTest {
    private static final Pattern WORD = Pattern.compile("((?:[^\\s']|'[^']*')+)\\s*");

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
                    wrk http://h/ ~ --closed 10 http://h/
                    wrk -t2 -c10 -d30s http://h/ ~ --closed 10 -d 30s --threads 2 http://h/
                    wrk -t 12 -c 400 -d 30 http://127.0.0.1:8080/index.html ~ --closed 400 -d 30s --threads 12 http://127.0.0.1:8080/index.html
                    wrk --threads 4 --connections 64 --duration 10s --latency http://h/ ~ --closed 64 -d 10s --threads 4 http://h/
                    wrk -c8 -d1m --timeout 2s -H 'A: b' http://h/ ~ --closed 8 -d 1m --timeout 2s -H 'A: b' http://h/
                    wrk -c8 -d5s -s post.lua http://h/ ~ --closed 8 -d 5s http://h/
                    wrk2 -t2 -c100 -d30s -R2000 http://h/ ~ -R 2000 -c 100 -d 30s --threads 2 http://h/
                    wrk2 -c100 -d30s -R2000 -L http://h/ ~ -R 2000 -c 100 -d 30s http://h/
                    wrk2 -t2 -c100 -d30s -R 2k --u_latency http://h/ ~ -R 2k -c 100 -d 30s --threads 2 http://h/
                    wrk -t2 -c100 -d30s --rate 500 http://h/ ~ -R 500 -c 100 -d 30s --threads 2 http://h/
                    oha http://h/ ~ --closed 50 http://h/
                    oha -n 1000 -c 100 http://h/ ~ --closed 100 -n 1000 http://h/
                    oha -q 200 -z 10s http://h/ ~ -R 200 -d 10s http://h/
                    oha -q 200 -z 10s -c 20 --latency-correction http://h/ ~ -R 200 -c 20 -d 10s http://h/
                    oha -z 1m -m POST -d '{}' -T application/json http://h/ ~ --closed 50 -d 1m -X POST --data '{}' -H 'Content-Type: application/json' http://h/
                    oha -z 10s -D body.json http://h/ ~ --closed 50 -d 10s --data @body.json http://h/
                    oha --no-tui --insecure -z 5s https://h/ ~ --closed 50 -d 5s -k https://h/
                    oha -z 5s --disable-keepalive -a ann:pw http://h/ ~ --closed 50 -d 5s --no-keepalive --user ann:pw http://h/
                    oha -z 5s -j http://h/ ~ --closed 50 -d 5s --json http://h/
                    oha -z 5s -t 2s --http2 http://h/ ~ --closed 50 -d 5s --timeout 2s --http 2 http://h/
                    hey http://h/ ~ --closed 50 http://h/
                    hey -n 1000 -c 100 http://h/ ~ --closed 100 -n 1000 http://h/
                    hey -z 30s -c 10 -q 20 http://h/ ~ -R 200 -c 10 -d 30s http://h/
                    hey -z 30s -q 20 http://h/ ~ -R 1000 -d 30s http://h/
                    hey -z 5s -m POST -d a=1 -T text/plain http://h/ ~ --closed 50 -d 5s -X POST --data a=1 -H 'Content-Type: text/plain' http://h/
                    hey -z 5s -h2 https://h/ ~ --closed 50 -d 5s --http 2 https://h/
                    hey -z 5s -disable-keepalive -host example.org http://h/ ~ --closed 50 -d 5s --no-keepalive -H 'Host: example.org' http://h/
                    hey -n 200 -t 5 -cpus 2 -o csv http://h/ ~ --closed 50 -n 200 --timeout 5s http://h/
                    hey -disable-keepalive=false -h2=false http://h/ ~ --closed 50 http://h/
                    hey -x http://p:3128 http://h/ ~ --closed 50 --proxy http://p:3128 http://h/
                    oha --http-version 2 https://h/ -p 50 ~ --closed 50 --http 2 https://h/
                    ab -n 1000 -c 10 http://h/ ~ --closed 10 -n 1000 http://h/
                    ab -n 1000 -c 10 -k http://h/ ~ --closed 10 -n 1000 http://h/
                    ab -kc 10 -n 1000 http://h/ ~ --closed 10 -n 1000 http://h/
                    ab -t 30 -c 5 http://h/ ~ --closed 5 -d 30s http://h/
                    ab -n 100 -p post.json -T application/json http://h/ ~ --closed 1 -n 100 -X POST --data @post.json -H 'Content-Type: application/json' http://h/
                    ab -n 100 -u put.json http://h/ ~ --closed 1 -n 100 -X PUT --data @put.json http://h/
                    ab -n 100 -A ann:pw -C k=v http://h/ ~ --closed 1 -n 100 --user ann:pw -H 'Cookie: k=v' http://h/
                    ab -n 100 -s 3 -i http://h/ ~ --closed 1 -n 100 --timeout 3s -X HEAD http://h/
                    run wrk -t2 -c10 -d30s http://h/ ~ --closed 10 -d 30s --threads 2 http://h/
                    /usr/bin/wrk -c10 -d30s http://h/ ~ --closed 10 -d 30s http://h/
                    run oha -q 200 -z 10s h:8080/x ~ -R 200 -d 10s http://h:8080/x
                    """)
    void a_pasted_line_is_answered_with_one_that_does_it(String pasted, String ours) {
        Shell shell = Shell.call(words(pasted).toArray(String[]::new));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        List<String> lines = shell.err().lines().toList();
        assertThat(lines.get(1)).isEqualTo("  downbeat run " + ours);
        List<String> words = words(lines.get(1).strip());
        DownbeatMain.commandLine().parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run http://127.0.0.1:1/ -R 100 -z 10s", "run http://127.0.0.1:1/ --closed 5 -z 1s"})
    void our_own_line_with_the_duration_of_another_tool_is_not_taken_for_its(String line) {
        Shell shell = Shell.call(line.split(" "));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("-z is gone: it is -d").doesNotContain("oha");
    }

    @Test
    void a_path_that_ends_in_the_name_of_a_tool_is_a_target() {
        Shell shell = Shell.call("run", "http://127.0.0.1:1/ab", "-R", "100", "-d", "1s");
        assertThat(shell.err()).doesNotContain("a line of ab");
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(line);
        while (word.find()) {
            words.add(word.group(1).replace("'", ""));
        }
        return words;
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"k6 run script.js", "vegeta attack -rate=50", "run bombardier http://h/", "h2load -n 1 http://h/"
            })
    void a_line_of_a_tool_that_is_not_translated_is_answered_with_the_shape_of_ours(String pasted) {
        Shell shell = Shell.call(pasted.split(" ", -1));
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("downbeat run http://HOST/ -R 100 -d 10s");
    }

    @Test
    void a_curl_line_becomes_a_request() {
        Shell shell = Shell.call("curl", "-H", "A: b", "http://h/");
        assertThat(shell.exitCode()).isEqualTo(2);
        assertThat(shell.err()).contains("downbeat run --curl 'curl -H '\\''A: b'\\'' http://h/' -R 100 -d 10s");
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
    void options_with_another_meaning_are_explained() {
        assertThat(Shell.call("oha", "-q", "5", "http://h/").err()).contains("(oha's -q is -R here; -q is quiet)");
        assertThat(Shell.call("hey", "-q", "5", "http://h/").err())
                .contains("(hey's rate is of each of its 50 workers; -R is of all together)");
        assertThat(Shell.call("ab", "-k", "http://h/").err()).contains("-k here is for TLS");
        assertThat(Shell.call("wrk", "http://h/").err()).contains("a closed loop");
        assertThat(Shell.call("oha", "--frobnicate", "http://h/").err())
                .contains("oha's --frobnicate has no counterpart");
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
                .startsWith("downbeat: the command 'sheet' is gone: 'downbeat sweep TARGET");
    }
}
