package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.Objective;
import dev.downbeat.verdict.Slo;
import dev.downbeat.verdict.Verdict;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExitCodeTest {
    private static Verdict verdict(Verdict.Measurement measurement, Verdict.Service service) {
        List<Objective> objectives = service == Verdict.Service.NONE
                ? List.of()
                : List.of(new Objective(
                        Slo.parse("p99<50ms"),
                        Objective.Status.valueOf(service.name()),
                        OptionalLong.empty(),
                        OptionalDouble.empty(),
                        false,
                        "made up"));
        return new Verdict(measurement, service, objectives, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "SOUND,   NONE,      false, 0",
        "SOUND,   MET,       false, 0",
        "SOUND,   MISSED,    false, 99",
        "SOUND,   UNDECIDED, false, 98",
        "UNSOUND, NONE,      false, 98",
        "UNSOUND, MET,       false, 98",
        "PARTLY_SOUND, MET,  false, 0",
        "PARTLY_SOUND, NONE, false, 0",
        "UNSOUND, MISSED,    false, 99",
        "UNSOUND, MISSED,    true,  99",
        "UNSOUND, MET,       true,  0",
        "SOUND,   UNDECIDED, true,  0",
    })
    void what_is_missed_is_missed_and_what_is_open_is_no_success(
            Verdict.Measurement measurement, Verdict.Service service, boolean accept, int code) {
        assertThat(ExitCode.of(Results.result(10, 0), verdict(measurement, service), accept))
                .isEqualTo(code);
    }

    @Test
    void a_missed_objective_beside_an_undecided_one_is_missed() {
        Objective missed = verdict(Verdict.Measurement.SOUND, Verdict.Service.MISSED)
                .objectives()
                .get(0);
        Objective undecided = verdict(Verdict.Measurement.SOUND, Verdict.Service.UNDECIDED)
                .objectives()
                .get(0);
        Verdict both =
                new Verdict(Verdict.Measurement.SOUND, Verdict.Service.MISSED, List.of(missed, undecided), List.of());
        assertThat(ExitCode.of(Results.result(10, 0), both, false)).isEqualTo(99);
    }

    @Test
    void a_run_of_refusals_has_measured_nothing() {
        RunResult refused = Results.result(0, 10);
        assertThat(ExitCode.of(refused, verdict(Verdict.Measurement.SOUND, Verdict.Service.MET), true))
                .isEqualTo(1);
        RunResult once = Results.result(1, 10);
        assertThat(ExitCode.of(once, verdict(Verdict.Measurement.SOUND, Verdict.Service.MISSED), false))
                .isEqualTo(99);
    }
}
