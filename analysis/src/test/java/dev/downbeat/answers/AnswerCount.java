package dev.downbeat.answers;

import java.util.Locale;

/** How often an answer was wrong, of runs with the seeds from 0 on. */
record AnswerCount(Answer answer, int runs, int wrong, int none) {
    static AnswerCount of(Answer answer, int runs) {
        int wrong = 0;
        int none = 0;
        for (long seed = 0; seed < runs; seed++) {
            Answer.Outcome outcome = answer.once().apply(seed);
            wrong += outcome == Answer.Outcome.WRONG ? 1 : 0;
            none += outcome == Answer.Outcome.NONE ? 1 : 0;
        }
        return new AnswerCount(answer, runs, wrong, none);
    }

    static String head() {
        return "| answer | law | n | wrong, % | standard error | no answer, % | goal, % |\n|---|---|---|---|---|---|---|";
    }

    double wrongPercent() {
        return 100.0 * wrong / runs;
    }

    /** With one more that was wrong: where none was, the error is not nothing. */
    private double standardError() {
        double share = (wrong + 1.0) / (runs + 2);
        return 100 * Math.sqrt(share * (1 - share) / runs);
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %.1f | %.1f | %.0f | %.0f |",
                answer.what(),
                answer.law(),
                runs,
                wrongPercent(),
                standardError(),
                100.0 * none / runs,
                answer.goalPercent());
    }
}
