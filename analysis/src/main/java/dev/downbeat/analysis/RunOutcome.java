package dev.downbeat.analysis;

import dev.downbeat.analysis.Finding.Tone;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.caveat.RunDefect;
import java.util.List;
import java.util.Locale;

/**
 * The conclusion from which the exit code and the report's colour follow. Only signals and unwritable files change the
 * exit code further.
 *
 * @param answer what was decided
 * @param tone how it is presented
 */
public record RunOutcome(Conclusion answer, Tone tone) {
    /** What was decided. */
    public enum Conclusion {
        /** Nothing was measured. */
        NOTHING(ExitCode.NOTHING),
        /** An objective was missed. */
        MISSED(ExitCode.MISSED),
        /** A requested decision is open, nothing was answered, or the recording is unreliable. */
        UNDECIDED(ExitCode.UNSOUND),
        /** Nothing was missed and no requested decision is open, or nothing was requested. */
        MET(ExitCode.MET);

        private final int exitCode;

        Conclusion(int exitCode) {
            this.exitCode = exitCode;
        }

        /** A stable name for programs. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The exit code, the same for every command and integration. */
    public int exitCode() {
        return answer.exitCode;
    }

    static RunOutcome of(RunVerdict verdict, List<Finding> findings, Criteria criteria) {
        Conclusion answer = answer(verdict, findings, criteria);
        Tone first = findings.get(0).kind().tone();
        return new RunOutcome(
                answer,
                switch (answer) {
                    case NOTHING, MISSED -> Tone.BAD;
                    case UNDECIDED -> first == Tone.BAD ? Tone.BAD : Tone.OPEN;
                    case MET -> {
                        Tone quiet = first == Tone.NOTE && !verdict.objectives().isEmpty() ? Tone.GOOD : first;
                        yield quiet == Tone.BAD ? Tone.OPEN : quiet; // red is for outcomes with their own exit code
                    }
                });
    }

    private static Conclusion answer(RunVerdict verdict, List<Finding> findings, Criteria criteria) {
        if (findings.stream().anyMatch(RunOutcome::isNothing)) {
            return Conclusion.NOTHING;
        }
        if (verdict.service() == RunVerdict.Service.MISSED) {
            return Conclusion.MISSED;
        }
        boolean open = verdict.caveats().stream()
                        .anyMatch(caveat -> caveat instanceof RunDefect.NothingAnswered
                                || (caveat instanceof RunDefect flaw && flaw.breaksRecord()))
                || (criteria.rigour().isStrict() && verdict.measurement() == RunVerdict.Soundness.UNSOUND)
                || verdict.objectives().stream().anyMatch(JudgedObjective::isOpen);
        return open && !criteria.acceptUndecided() ? Conclusion.UNDECIDED : Conclusion.MET;
    }

    /** Whether no request reached the service. One that only fails requests or lets them time out was measured. */
    private static boolean isNothing(Finding finding) {
        return finding instanceof Finding.NothingMeasured
                || (finding instanceof Finding.NothingAnswered unanswered && unanswered.isUnreachable());
    }
}
