package dev.downbeat.truths;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What was wrong with an answer.
 *
 * @param finding what was wrong with the first finding and its numbers; empty if nothing
 * @param exit what was wrong with the exit code; empty if nothing
 * @param contradictions between formats, or within one
 */
record Judged(Answered answered, List<String> finding, List<String> exit, List<String> contradictions) {
    static Judged of(Scenario scenario) {
        Answered answered = Answered.to(scenario);
        Truth truth = scenario.truth();
        List<String> finding = new ArrayList<>();
        if (!truth.first().contains(answered.first())) {
            finding.add("is " + answered.first() + ", true: " + truth.first());
        }
        answered.kinds().stream()
                .filter(truth.never()::contains)
                .forEach(kind -> finding.add("says " + kind + ", which it is not"));
        for (Truth.Expected expected : truth.numbers()) {
            Double value = answered.numbers().get(expected.of());
            if (value == null) {
                finding.add("no " + expected.of());
            } else if (value < expected.least() || value > expected.most()) {
                finding.add(String.format(
                        Locale.ROOT,
                        "%s is %.3f, true: %.3f to %.3f",
                        expected.of(),
                        value,
                        expected.least(),
                        expected.most()));
            }
        }
        if (truth.isMissedAnyway()
                && (answered.headline().contains(" caused ")
                        || !answered.headline().contains(": measured "))) {
            finding.add("blames an event for what is missed without it");
        }
        boolean isByStalls = truth.first().equals(Set.of(Kind.STALLED)) && !truth.isMissedAnyway();
        if (isByStalls && answered.headline().contains("missed even without")) {
            finding.add("acquits an event without which nothing is missed");
        }
        List<String> exit = new ArrayList<>();
        if (!truth.exits().contains(answered.exit())) {
            exit.add("exit " + answered.exit() + ", true: " + truth.exits());
        }
        Answered.passedOnlyIf(scenario)
                .ifPresent(stricter -> exit.add("exit " + answered.exit() + ", but 0 if " + stricter));
        return new Judged(answered, finding, exit, Formats.contradictions(answered));
    }

    boolean isRight() {
        return finding.isEmpty() && exit.isEmpty() && contradictions.isEmpty();
    }

    /** All that is wrong, in a line. */
    String text() {
        List<String> all = new ArrayList<>(finding);
        all.addAll(exit);
        all.addAll(contradictions);
        return String.join("; ", all) + " | " + answered.headline();
    }
}
