package dev.downbeat.verdict;

import static dev.downbeat.verdict.RunFixture.MS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.verdict.caveat.Caveat;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of verdicts ask of them. */
public final class Judged {
    private Judged() {}

    public static RunVerdict verdict(RunFixture run, String... slos) {
        return RunVerdict.of(
                run.result(), Stream.of(slos).map(ServiceLevelObjective::parse).toList());
    }

    public static int exitCode(RunFixture run, RequiredCertainty rigour, boolean accept, String... slos) {
        List<ServiceLevelObjective> asked =
                Stream.of(slos).map(ServiceLevelObjective::parse).toList();
        return Analysis.of(run.result(), new Criteria(asked, rigour, accept))
                .outcome()
                .exitCode();
    }

    public static <T extends Caveat> T only(Class<T> kind, RunVerdict verdict) {
        List<T> found = verdict.caveats().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    public static List<String> codes(RunVerdict verdict) {
        return verdict.caveats().stream().map(Caveat::code).toList();
    }

    /** Enough for every percentile that is shown, and nothing remarkable. */
    public static RunFixture quiet() {
        return new RunFixture().answered(50_000, 2 * MS);
    }
}
