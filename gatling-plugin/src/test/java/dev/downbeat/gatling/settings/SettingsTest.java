package dev.downbeat.gatling.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.analysis.Finding.Tone;
import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.gatling.DocumentedSimulations;
import dev.downbeat.gatling.Downbeat;
import dev.downbeat.gatling.DownbeatProtocolBuilder;
import dev.downbeat.gatling.version.ExitCodePolicy;
import dev.downbeat.gatling.version.UserMistake;
import dev.downbeat.report.file.UndecidedPolicy;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.RequiredCertainty;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettingsTest {
    private static Settings of(DownbeatProtocolBuilder builder) {
        return Settings.of(((DownbeatProtocol) builder.protocol()).changes());
    }

    private static Settings of(DownbeatProtocolBuilder builder, Map<String, String> properties) {
        return Settings.of(
                ((DownbeatProtocol) builder.protocol()).changes().andThen(Settings.properties(properties::get)));
    }

    @Test
    void a_misspelt_property_is_refused_with_the_name_that_is_nearest() {
        Properties system = new Properties();
        system.setProperty("downbeat.objectvies", "p99<50ms");
        assertThatThrownBy(() -> Settings.refuseUnknown(system))
                .isInstanceOf(UserMistake.class)
                .hasMessage("-Ddownbeat.objectvies: there is no such property; the nearest is -Ddownbeat.objectives");
    }

    @Test
    void the_defaults_ask_for_few_errors_and_leave_Gatlings_report_alone() {
        Settings defaults = of(Downbeat.protocol());
        assertThat(defaults.objectives()).as("asked for").isEmpty();
        assertThat(defaults.correctsGatlingReport()).isFalse();
        assertThat(defaults.pace()).isEqualTo(PaceMode.CATCH_UP);
        assertThat(defaults.warmUpNanos()).isZero();
        assertThat(defaults.sqs())
                .isEqualTo(new SqsSettings(
                        64,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(60),
                        true,
                        Optional.empty(),
                        Optional.empty(),
                        "downbeat",
                        0,
                        false,
                        Optional.empty()));
    }

    @Test
    void objectives_of_ones_own_are_added_up_and_replace_the_defaults() {
        Settings own =
                of(Downbeat.protocol().objectives("p99<50ms").acceptUnsound().objectives("max<1s"));
        assertThat(own.objectives().stream().map(ServiceLevelObjective::text)).containsExactly("p99<50ms", "max<1s");
        assertThat(own.acceptsUnsound()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(RunOutcome.Conclusion.class)
    void every_answer_but_a_met_and_an_undecided_one_fails_Gatling(RunOutcome.Conclusion answer) {
        boolean passes = answer == RunOutcome.Conclusion.MET || answer == RunOutcome.Conclusion.UNDECIDED;
        assertThat(ExitCodePolicy.GATLING.code(new RunOutcome(answer, Tone.OPEN), true, Optional.empty(), 1))
                .isEqualTo(passes ? 0 : 2);
        assertThat(ExitCodePolicy.DOWNBEAT.code(new RunOutcome(answer, Tone.OPEN), true, Optional.empty(), 1))
                .isEqualTo(new RunOutcome(answer, Tone.OPEN).exitCode());
    }

    @Test
    void results_that_were_not_saved_fail_a_build_unless_Gatlings_own_result_is_asked_for() {
        RunOutcome met = new RunOutcome(RunOutcome.Conclusion.MET, Tone.GOOD);
        RunOutcome missed = new RunOutcome(RunOutcome.Conclusion.MISSED, Tone.BAD);
        assertThat(ExitCodePolicy.GATLING.code(met, false, Optional.empty(), 1)).isEqualTo(2);
        assertThat(ExitCodePolicy.DOWNBEAT.code(met, false, Optional.empty(), 1))
                .isEqualTo(ExitCode.NOTHING);
        assertThat(ExitCodePolicy.DOWNBEAT.code(missed, false, Optional.empty(), 1))
                .isEqualTo(ExitCode.MISSED);
        assertThat(ExitCodePolicy.NONE.code(met, false, Optional.empty(), 1)).isZero();
    }

    @Test
    void what_a_queue_cannot_do_is_refused() {
        assertThatThrownBy(() -> Downbeat.sqs("a").receive("q").waitTime(Duration.ofMillis(1_900)))
                .hasMessage("waitTime must be whole seconds from 0 to 20, but was PT1.9S");
        assertThatThrownBy(() -> Downbeat.sqs("a").send("q").delay(Duration.ofSeconds(901)))
                .hasMessageContaining("delay must be whole seconds from 0 to 900");
        assertThatThrownBy(() -> Downbeat.protocol().retries(-1)).hasMessageContaining("retries must be from 0 to 99");
        assertThatThrownBy(() -> of(Downbeat.protocol(), Map.of("downbeat.saveTo", "")))
                .hasMessageContaining("saveTo: it is empty");
    }

    @Test
    void a_malformed_objective_is_refused_with_the_name_of_its_property() {
        assertThatThrownBy(() -> of(Downbeat.protocol(), Map.of("downbeat.objectives", "p99<1s,")))
                .isInstanceOf(UserMistake.class)
                .hasMessageStartingWith("-Ddownbeat.objectives: objective must look like ")
                .hasMessageEndingWith("but was \"\"");
    }

    @Test
    void undecided_fails_Gatling_only_on_request() {
        RunOutcome undecided = new RunOutcome(RunOutcome.Conclusion.UNDECIDED, Tone.OPEN);
        Settings asked = of(Downbeat.protocol(), Map.of("downbeat.undecided", "fails"));
        assertThat(of(Downbeat.protocol().undecidedFails())).isEqualTo(asked);
        assertThat(ExitCodePolicy.GATLING.code(undecided, true, asked.undecided(), 1))
                .isEqualTo(2);
        assertThat(ExitCodePolicy.GATLING.code(undecided, true, Optional.empty(), 1))
                .isZero();
        assertThat(ExitCodePolicy.DOWNBEAT.code(undecided, true, Optional.empty(), 1))
                .isEqualTo(98);
        assertThatThrownBy(() -> of(Downbeat.protocol(), Map.of("downbeat.undecided", "fail")))
                .hasMessage("-Ddownbeat.undecided: it must be fails, passes or fails-after-3, but was 'fail'");
    }

    @Test
    void a_limited_number_of_consecutive_undecided_runs_passes_with_either_codes() {
        RunOutcome undecided = new RunOutcome(RunOutcome.Conclusion.UNDECIDED, Tone.OPEN);
        Optional<UndecidedPolicy> asked = of(Downbeat.protocol(), Map.of("downbeat.undecided", "fails-after-2"))
                .undecided();
        for (ExitCodePolicy exit : List.of(ExitCodePolicy.GATLING, ExitCodePolicy.DOWNBEAT)) {
            assertThat(exit.code(undecided, true, asked, 2)).isZero();
            assertThat(exit.code(undecided, true, asked, 3)).isEqualTo(exit == ExitCodePolicy.GATLING ? 2 : 98);
        }
        RunOutcome missed = new RunOutcome(RunOutcome.Conclusion.MISSED, Tone.BAD);
        assertThat(ExitCodePolicy.GATLING.code(missed, true, asked, 0)).isEqualTo(2);
        assertThat(ExitCodePolicy.DOWNBEAT.code(missed, true, asked, 0)).isEqualTo(99);
    }

    @Test
    void system_properties_go_before() {
        DownbeatProtocolBuilder own = Downbeat.protocol()
                .objectives("p99<50ms")
                .correctGatlingReport()
                .saveTo(Path.of("a"));
        Map<String, String> said = Map.of(
                "downbeat.objectives", "p50<1ms, errors<1%",
                "downbeat.gatlingReport", "plain",
                "downbeat.saveTo", "b");
        Settings both = of(own, said);
        assertThat(both.objectives().stream().map(ServiceLevelObjective::text)).containsExactly("p50<1ms", "errors<1%");
        assertThat(both.correctsGatlingReport()).isFalse();
        assertThat(both.folder()).contains(Path.of("b"));
        assertThat(of(own, Map.of())).isEqualTo(of(own));
    }

    @Test
    void objectives_of_requests_are_prefixed_by_name() {
        Map<String, String> said = Map.of("downbeat.objectives", "errors<1%,shop / login:p99<20ms,*:max<1s");
        DownbeatProtocolBuilder own = DocumentedSimulations.byRequest();
        assertThat(of(own).objectives().stream().map(ServiceLevelObjective::text))
                .containsExactly("errors<0.1%", "shop / login: p99<20ms", "shop: p99.9<1s", "*: p99<100ms");
        Settings both = of(own, said);
        assertThat(both.objectives().stream().map(ServiceLevelObjective::text))
                .containsExactly("errors<1%", "shop / login: p99<20ms", "*: max<1s");
        assertThat(of(Downbeat.protocol().details("login", "p99<1s").objectives("p50<1s")).objectives().stream()
                        .map(ServiceLevelObjective::text))
                .as("objectives of the whole leave those of a name")
                .containsExactly("login: p99<1s", "p50<1s");
        assertThat(of(own, Map.of("downbeat.exitCode", "downbeat")).exit()).isEqualTo(ExitCodePolicy.DOWNBEAT);
    }

    @Test
    void an_objective_of_one_request_is_the_same_wish_in_the_source_and_as_a_property() {
        assertThat(of(Downbeat.protocol().details("login", "p99<1s")))
                .isEqualTo(of(Downbeat.protocol(), Map.of("downbeat.objectives", "login:p99<1s")));
    }

    @Test
    void a_default_objective_is_distinguished_from_the_same_one_requested() {
        assertThat(of(Downbeat.protocol()).hasNoObjectives()).isTrue();
        assertThat(of(Downbeat.protocol().warmUp().sure()).hasNoObjectives()).isTrue();
        assertThat(of(Downbeat.protocol().objectives("errors<1%")).hasNoObjectives())
                .isFalse();
        assertThat(of(Downbeat.protocol().details("login", "p99<1s")).hasNoObjectives())
                .isFalse();
        assertThat(of(Downbeat.protocol(), Map.of("downbeat.objectives", "errors<1%"))
                        .hasNoObjectives())
                .isFalse();
    }

    @Test
    void warm_up_and_verdict_settings_work_by_code_and_by_property() {
        Map<String, String> said =
                Map.of("downbeat.warmUp", "auto", "downbeat.sure", "true", "downbeat.strict", "true");
        Settings asked = of(Downbeat.protocol(), said);
        assertThat(asked.warmUpNanos()).isEqualTo(Settings.UNTIL_WARM);
        assertThat(asked.rigour()).isEqualTo(new RequiredCertainty(true, true));
        assertThat(of(Downbeat.protocol().warmUp().sure().strict())).isEqualTo(asked);
    }

    @Test
    void watching_works_by_code_and_by_property() {
        Settings said = of(Downbeat.protocol(), Map.of("downbeat.watch", "pid:1  cgroup:/"));
        assertThat(said.watches()).containsExactly("pid:1", "cgroup:/");
        assertThat(of(Downbeat.protocol().watch("pid:1").watch("cgroup:/"))).isEqualTo(said);
        assertThatThrownBy(() -> of(Downbeat.protocol(), Map.of("downbeat.watch", "java:1")))
                .hasMessageStartingWith("-Ddownbeat.watch: ")
                .hasMessageContaining("java:1");
    }

    @Test
    void mistakes_are_one_line() {
        assertThatThrownBy(() -> Downbeat.protocol().objectives("p99<50"))
                .hasMessage("objective \"p99<50\" needs a unit: write p99<50ms or p99<50s");
        Map<String, String> said = Map.of("downbeat.pace", "fast");
        assertThatThrownBy(() -> of(Downbeat.protocol(), said))
                .hasMessage("-Ddownbeat.pace must be catchUp, skipAndCount or gatling, but was 'fast'");
        assertThatThrownBy(() -> of(Downbeat.protocol(), Map.of("downbeat.exitCode", "true")))
                .hasMessage("-Ddownbeat.exitCode must be gatling, downbeat or none, but was 'true'");
    }
}
