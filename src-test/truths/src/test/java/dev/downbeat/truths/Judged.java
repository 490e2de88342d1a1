package dev.downbeat.truths;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The errors in an answer.
 *
 * @param finding errors in the findings and the numbers of the first one
 * @param exit errors in the exit code
 * @param contradictions between formats, or within one
 */
record Judged(Answered answered, List<String> finding, List<String> exit, List<String> contradictions) {
    static Judged of(Scenario scenario) {
        Answered answered = Answered.to(scenario);
        Truth truth = scenario.truth();
        List<String> finding = new ArrayList<>();
        if (!truth.first().contains(answered.first())) {
            finding.add("is " + answered.first() + ", expected: " + truth.first());
        }
        answered.kinds().stream()
                .filter(truth.never()::contains)
                .forEach(kind -> finding.add("wrongly reports " + kind));
        for (Truth.Expected expected : truth.numbers()) {
            Double value = answered.numbers().get(expected.of());
            if (value == null) {
                finding.add("no " + expected.of());
            } else if (value < expected.least() || value > expected.most()) {
                finding.add(String.format(
                        Locale.ROOT,
                        "%s is %.3f, expected: %.3f to %.3f",
                        expected.of(),
                        value,
                        expected.least(),
                        expected.most()));
            }
        }
        if (truth.isMissedAnyway()
                && (answered.headline().contains(" caused ")
                        || !answered.headline().contains(": measured "))) {
            finding.add("blames an event for an objective that is missed even without it");
        }
        boolean isByStalls = truth.first().equals(Set.of(Kind.STALLED)) && !truth.isMissedAnyway();
        if (isByStalls && answered.headline().contains("missed even without")) {
            finding.add("acquits an event without which nothing is missed");
        }
        List<String> exit = new ArrayList<>();
        if (!truth.exits().contains(answered.exit())) {
            exit.add("exit " + answered.exit() + ", expected: " + truth.exits());
        }
        Answered.passedOnlyIf(scenario)
                .ifPresent(stricter -> exit.add("exit " + answered.exit() + ", but 0 if " + stricter));
        return new Judged(answered, finding, exit, Formats.contradictions(answered));
    }

    boolean isRight() {
        return finding.isEmpty() && exit.isEmpty() && contradictions.isEmpty();
    }

    /** All errors and the headline, in one line. */
    String text() {
        List<String> all = new ArrayList<>(finding);
        all.addAll(exit);
        all.addAll(contradictions);
        return String.join("; ", all) + " | " + answered.headline();
    }
}
