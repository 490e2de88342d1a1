package dev.downbeat.cli.help;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.downbeat.cli.DownbeatMain;
import dev.downbeat.cli.command.ReportCommand;
import dev.downbeat.cli.command.RunCommand;
import dev.downbeat.cli.measurement.Measurement;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Options that stand in the environment or in the user's file. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DefaultsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path home;

    private Measurement measurement(Map<String, String> environment, String words) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOME", home.toString());
        String[] split = words.split(" ");
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), split);
        Defaults.install(line, all, split);
        line.parseArgs(ArgFiles.escapeBodies(split));
        return ((RunCommand)
                        Objects.requireNonNull(line.getSubcommands().get("run")).getCommand())
                .value();
    }

    private void file(String text) throws IOException {
        Path options = home.resolve(".config/downbeat/options");
        Files.createDirectories(options.getParent());
        Files.writeString(options, text);
    }

    /** A pipe can be read only once: picocli needs its words. */
    @Test
    void a_pipe_of_arguments_is_left_to_picocli() throws Exception {
        Path pipe = home.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), // it blocked for ever
                () -> assertThat(ArgFiles.expanded("run", "@" + pipe)).containsExactly("run", "@" + pipe));
    }

    @Test
    void the_command_line_goes_before_the_environment_and_that_before_the_file() throws IOException {
        file("# mine\nconnections = 16\nmax-idle=9s\n--timeout = 5s\nno-resume\n");
        Measurement value = measurement(
                Map.of("DOWNBEAT_MAX_IDLE", "3s", "DOWNBEAT_HEADER", "A: b", "DOWNBEAT_TIMEOUT", "4s"),
                "run https://h/ --timeout 2s");
        assertThat(value.asking().connections().count()).contains(16L);
        assertThat(value.asking().connections().maxIdle()).hasToString("Optional[PT3S]");
        assertThat(value.toString()).contains("timeout=2s").doesNotContain("timeout=4s", "timeout=5s");
        assertThat(value.asking().encryption().noResume()).isTrue();
        assertThat(value.asking().request().headers()).hasSize(1);
    }

    @Test
    void a_load_that_is_given_takes_the_place_of_any_other() {
        Map<String, String> rate = Map.of("DOWNBEAT_RATE", "700/s");
        assertThat(measurement(rate, "run http://h/").load().rate()).isPresent();
        assertThat(measurement(rate, "run http://h/ --closed 8").load().rate()).isEmpty();
        assertThat(measurement(rate, "run http://h/ -R5").load().toString()).doesNotContain("700");
    }

    @Test
    void options_in_a_file_of_arguments_are_given_too() throws IOException {
        Path closed = Files.writeString(home.resolve("closed.args"), "# our load\n--closed\n4\n");
        Path all = Files.writeString(home.resolve("all.args"), "-q\n@" + closed + "\n");
        Map<String, String> rate = Map.of("DOWNBEAT_RATE", "700/s");
        for (Path file : List.of(closed, all)) {
            Measurement value = measurement(rate, "run http://h/ @" + file);
            assertThat(value.load().rate()).isEmpty();
            assertThat(value.load().closed()).contains(4L);
        }
        Path planned = Files.writeString(home.resolve("shard.args"), "--plan\nplan.json\n");
        String[] words = {"run", "@" + planned};
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), words);
        Defaults.install(line, Map.of("DOWNBEAT_RATE", "7/s", "HOME", home.toString()), words);
        assertThat(line.getDefaultValueProvider()).as("a plan is complete").isNull();
    }

    @Test
    void a_file_that_holds_a_body_holds_no_options() throws IOException {
        Path body = Files.writeString(home.resolve("body"), "--closed 4");
        assertThat(measurement(Map.of("DOWNBEAT_RATE", "700/s"), "run http://h/ --data @" + body)
                        .load()
                        .rate())
                .isPresent();
    }

    @Test
    void a_given_number_is_not_cut_by_a_configured_duration_nor_the_other_way_round() {
        Map<String, String> both = Map.of("DOWNBEAT_DURATION", "30s", "DOWNBEAT_REQUESTS", "500");
        assertThat(measurement(both, "run http://h/ -n 10k").load().duration()).isEmpty();
        assertThat(measurement(both, "run http://h/ -d 60s").load().requests()).isEmpty();
        assertThat(measurement(both, "run http://h/").load().requests()).contains(500L);
        assertThat(measurement(both, "run http://h/ -d 60s -n 10k").load().requests())
                .contains(10_000L);
    }

    /** Kubernetes sets it in each pod of a namespace with a service that is called downbeat. */
    @Test
    void the_port_of_a_service_is_no_option() {
        String[] words = {"serve"};
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), words);
        Defaults.install(line, Map.of("DOWNBEAT_PORT", "tcp://10.0.0.1:8089", "HOME", home.toString()), words);
        assertThat(line.parseArgs(words).subcommand().hasMatchedOption("--port"))
                .isFalse();
    }

    @Test
    void without_a_name_that_this_machine_can_have_there_is_no_file() {
        String[] words = {"run"};
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), words);
        Defaults.install(line, Map.of("HOME", "/h\0"), words);
        assertThat(line.parseArgs(words).subcommand()).isNotNull();
    }

    @Test
    void what_is_never_a_default_is_refused_in_the_file_and_pointed_out_in_the_environment() throws IOException {
        assertThat(complaint(Map.of("DOWNBEAT_PROCESSES", "4"), "run", "http://h/"))
                .isEqualTo(
                        "downbeat: $DOWNBEAT_PROCESSES sets no option: --processes is allowed on the command line only\n");
        assertThat(complaint(Map.of("DOWNBEAT_LAST", "off", "DOWNBEAT_VERSION", "1"), "run", "http://h/"))
                .isEmpty();
        file("processes = 4\n");
        assertThatThrownBy(() -> measurement(Map.of(), "run http://h/"))
                .hasMessageContaining("options: --processes is allowed on the command line only");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"--stage 1s:5", "--until-decided --slo p99<1s", "--closed 5", "-R 5", "--replay pom.xml"})
    void what_does_not_go_with_a_given_load_is_left_out(String load) {
        Map<String, String> others = Map.of(
                "DOWNBEAT_DURATION", "30s",
                "DOWNBEAT_RAMP", "5s",
                "DOWNBEAT_RATE", "1..5",
                "DOWNBEAT_ARRIVALS", "constant");
        Map<String, String> given = new HashMap<>(others);
        if (load.startsWith("--until")) {
            given.keySet().removeAll(List.of("DOWNBEAT_RAMP", "DOWNBEAT_RATE"));
        }
        assertThat(measurement(given, "run http://h/ " + load)).isNotNull();
        assertThat(measurement(Map.of("DOWNBEAT_ARRIVALS", "constant"), "run http://h/ -R 5")
                        .load()
                        .arrivals())
                .isPresent();
    }

    @Test
    void a_switch_that_is_given_twice_stays_on() {
        assertThat(measurement(Map.of("DOWNBEAT_NO_KEEPALIVE", "true"), "run http://h/ --no-keepalive")
                        .asking()
                        .connections()
                        .noKeepalive())
                .isTrue();
    }

    @Test
    void a_variable_that_keeps_no_runs_is_no_option_of_a_report() {
        String[] words = {"report", "none.downbeat"};
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), words);
        Defaults.install(line, Map.of("DOWNBEAT_LAST", "off", "HOME", home.toString()), words);
        line.parseArgs(words);
        assertThat(((ReportCommand) Objects.requireNonNull(line.getSubcommands().get("report"))
                                .getCommand())
                        .last)
                .isFalse();
    }

    @Test
    void defaults_taken_from_elsewhere_are_listed() {
        StringWriter err = new StringWriter();
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), "run");
        line.setErr(new PrintWriter(err, true));
        String[] words = {"run", "http://h/"};
        Defaults.install(line, Map.of("DOWNBEAT_RATE", "fast", "HOME", home.toString()), words);
        assertThat(DownbeatMain.execute(line, words)).isEqualTo(2);
        assertThat(err.toString()).contains("--rate from $DOWNBEAT_RATE");
    }

    @Test
    void a_variable_that_resembles_an_option_is_pointed_out_and_has_no_effect() {
        assertThat(complaint(Map.of("DOWNBEAT_CONNECTION", "16"), "run", "http://h/"))
                .isEqualTo("downbeat: $DOWNBEAT_CONNECTION matches no option; did you mean --connections?\n");
        assertThat(complaint(Map.of("DOWNBEAT_SERVER", "http://h/"), "run", "http://h/"))
                .as("--servers is an option of simulate")
                .isEmpty();
    }

    private String complaint(Map<String, String> environment, String... words) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOME", home.toString());
        StringWriter err = new StringWriter();
        CommandLine line = DownbeatMain.commandLine(new DownbeatMain(), words);
        line.setErr(new PrintWriter(err, true));
        Defaults.install(line, all, words);
        return err.toString();
    }

    @Test
    void a_removed_option_is_refused_wherever_it_stands() throws IOException {
        assertThatThrownBy(() -> measurement(Map.of("DOWNBEAT_DETECT", "5%"), "plan http://h/ --shards 2"))
                .hasMessageStartingWith("$DOWNBEAT_DETECT: --detect was removed from plan");
        assertThatThrownBy(() -> measurement(Map.of("DOWNBEAT_AGAINST", "http://b/"), "sweep http://a/"))
                .hasMessageStartingWith("$DOWNBEAT_AGAINST: --against was removed from sweep");
        assertThatThrownBy(() -> measurement(Map.of("DOWNBEAT_QPS", "16"), "run http://h/"))
                .hasMessage("$DOWNBEAT_QPS: --qps was removed: use -R");
        Map<String, String> others = Map.of(
                "DOWNBEAT_URL",
                "http://h/",
                "DOWNBEAT_SERVICE_HOST",
                "10.0.0.1",
                "DOWNBEAT_TOLERANCE",
                "5%",
                "DOWNBEAT_TRUSTSTORE_PASSWORD",
                "secret");
        assertThat(measurement(others, "run http://h/").load().rate()).isEmpty();
        file("connexions = 16\n");
        assertThatThrownBy(() -> measurement(Map.of(), "run http://h/"))
                .hasMessageContaining("options: no option is called 'connexions'");
        file("qps = 16\n");
        assertThatThrownBy(() -> measurement(Map.of(), "run http://h/"))
                .hasMessageContaining("options: --qps was removed: use -R");
        file("tolerance = 5%\n");
        assertThat(measurement(Map.of(), "run http://h/").load().rate()).isEmpty();
    }

    @Test
    void a_file_that_is_not_understood_is_named() throws IOException {
        file("connections 16\n");
        assertThatThrownBy(() -> measurement(Map.of(), "help")).hasMessageContaining("options: no option is called");
        file("connections = 1\nconnections = 2\n");
        assertThatThrownBy(() -> measurement(Map.of(), "help")).hasMessageContaining("connections is given twice");
    }
}
