package dev.downbeat.compare;

import dev.downbeat.compare.ComparedRow.ComparedRows;
import dev.downbeat.event.Incident;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.change.ChangeAnswer;
import dev.downbeat.stats.change.Events;
import dev.downbeat.time.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The incidents of two systems, compared separately. A stall moves every percentile beyond it, yet it is a single event
 * and gives no rate. Frequency and length are compared only where there are many incidents. Percentiles are compared
 * without the seconds affected by incidents or by Downbeat's own pauses.
 *
 * @param base incidents of the base
 * @param other incidents of the other system
 * @param often whether the other's incidents are more frequent (slower) or less (faster)
 * @param lasting whether the other's incidents last longer (slower) or shorter (faster)
 * @param rows the percentiles outside incidents
 */
public record ComparedIncidents(
        Seen base, Seen other, ChangeAnswer often, ChangeAnswer lasting, List<ComparedRow> rows) {
    /** Stalls that last this many times as long need no proof that the difference is not chance. */
    private static final double FAR = 10;

    /**
     * Incidents of one side.
     *
     * @param lengths length of each in nanoseconds
     * @param seconds observed time in seconds
     */
    public record Seen(List<Long> lengths, double seconds) {
        public Seen {
            lengths = List.copyOf(lengths);
        }

        boolean isNone() {
            return lengths.isEmpty();
        }

        long allNanos() {
            return lengths.stream().mapToLong(Long::longValue).sum();
        }

        /** "one stall of 1.00 s". */
        public String text() {
            return switch (lengths.size()) {
                case 0 -> "none";
                case 1 -> "one stall of " + DurationText.rounded(allNanos());
                default -> lengths.size() + " stalls, " + DurationText.rounded(allNanos()) + " in all";
            };
        }
    }

    public ComparedIncidents {
        rows = List.copyOf(rows);
    }

    /** Separates the incidents; empty if neither side had one, or if one side's incidents are unknown. */
    static Optional<ComparedIncidents> of(
            ComparedSide base, ComparedSide other, List<Double> percentiles, double rarer) {
        Optional<Seen> one = seen(base);
        Optional<Seen> two = seen(other);
        if (one.isEmpty() || two.isEmpty()) {
            return Optional.empty();
        }
        if (one.get().lengths.isEmpty() && two.get().lengths.isEmpty()) {
            return Optional.empty();
        }
        ComparedSide calm = base.calm();
        ComparedSide otherCalm = other.calm();
        boolean enough = Comparability.hasEnoughLeft(calm) && Comparability.hasEnoughLeft(otherCalm);
        return Optional.of(new ComparedIncidents(
                one.get(),
                two.get(),
                Events.rate(
                        one.get().lengths.size(),
                        one.get().seconds,
                        two.get().lengths.size(),
                        two.get().seconds),
                Events.lengths(one.get().lengths, two.get().lengths),
                enough ? ComparedRows.of(calm, otherCalm, percentiles, rarer) : List.of()));
    }

    private static Optional<Seen> seen(ComparedSide side) {
        List<Long> lengths = new ArrayList<>();
        double seconds = 0;
        for (ComparedRun run : side.runs()) {
            if (run.calm().isEmpty()) {
                return Optional.empty();
            }
            run.calm().get().incidents().stream()
                    .filter(incident ->
                            incident.cause() != Incident.Cause.OUR_PAUSE && incident.cause() != Incident.Cause.STARTING)
                    .forEach(incident -> lengths.add(incident.lengthNanos()));
            seconds += run.stretches().size();
        }
        return Optional.of(new Seen(lengths, seconds));
    }

    /** Whether the other system has more or longer incidents, with a confidence of 95 %. */
    public boolean isWorse() {
        return often == ChangeAnswer.SLOWER || lasting == ChangeAnswer.SLOWER;
    }

    /**
     * Whether the other system stalled for a far greater share of the time. One run cannot tell how often that will
     * happen.
     */
    public boolean isFarLonger() {
        return other.allNanos() / other.seconds > FAR * base.allNanos() / base.seconds;
    }

    /** What is known about the frequency of incidents. */
    public String known() {
        if (base.lengths.size() + other.lengths.size() == 1) {
            return "how often it comes is not known from one run";
        }
        if (often == ChangeAnswer.SLOWER || often == ChangeAnswer.FASTER) {
            return (often == ChangeAnswer.SLOWER ? "more" : "fewer") + " (95 %)";
        }
        if (lasting == ChangeAnswer.SLOWER || lasting == ChangeAnswer.FASTER) {
            return (lasting == ChangeAnswer.SLOWER ? "longer" : "shorter") + " (95 %)";
        }
        return "which has more is not known from so few";
    }

    /** "base had one stall of 1.0 s, other none: one event is no rate. Without it p99 10.8 and 10.4 ms: the same ...". */
    public String text() {
        int events = base.lengths.size() + other.lengths.size();
        String told = events == 1 ? "one event is no rate" : "too few to tell which has more";
        if (often == ChangeAnswer.SLOWER || often == ChangeAnswer.FASTER) {
            told = "other has " + (often == ChangeAnswer.SLOWER ? "more" : "fewer");
        } else if (events > Events.FEW) {
            told = "no difference detected in how many";
        }
        if (lasting == ChangeAnswer.SLOWER || lasting == ChangeAnswer.FASTER) {
            told += ", and they last " + (lasting == ChangeAnswer.SLOWER ? "longer" : "less long");
        }
        return "base had " + base.text() + ", other " + other.text() + ": " + told
                + without(events == 1 ? "it" : "them");
    }

    private String without(String what) {
        return rows.stream()
                .filter(row -> row.answer() != ChangeAnswer.NOT_JUDGED)
                .reduce((lower, higher) -> higher)
                .map(row -> ". Without " + what + " " + Percentiles.name(row.percentile()) + " "
                        + DurationText.rounded(row.baseNanos()) + " and " + DurationText.rounded(row.otherNanos())
                        + ": "
                        + conclusion(row))
                .orElse(". Without " + what + " too little is left to compare");
    }

    private static String conclusion(ComparedRow row) {
        return row.answer() == ChangeAnswer.SAME
                ? "the same within " + percent(row.sameWithin().orElse(0))
                : row.answer().word();
    }

    /** Rounds up, so that the statement holds. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", Math.max(1, Math.ceil(share * 100)));
    }
}
