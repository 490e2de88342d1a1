package dev.downbeat.report.file;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Finding;
import dev.downbeat.analysis.RunOutcome;
import dev.downbeat.analysis.Wishes;
import dev.downbeat.run.RunResult;
import dev.downbeat.verdict.RunVerdict;
import java.util.List;

/** The saved verdict and findings of a run. */
public record SavedAnalysis(RunVerdict verdict, List<Finding> findings, RunOutcome outcome) {
    static SavedAnalysis of(Analysis analysis) {
        return new SavedAnalysis(analysis.verdict(), analysis.findings(), analysis.outcome());
    }

    Analysis of(RunResult result, Wishes wishes) {
        return Analysis.saved(result, wishes, verdict, findings, outcome);
    }
}
