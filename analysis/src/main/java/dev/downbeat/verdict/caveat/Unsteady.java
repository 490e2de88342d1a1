package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** The service changed while its load did not. The measurement can be trusted; the service is not steady. */
public sealed interface Unsteady extends Caveat {
    @Override
    default Bearing bearing() {
        return Bearing.NOTE;
    }

    /**
     * The response time changed during a run with a steady load, so percentiles of the whole run describe no moment of
     * it.
     *
     * @param found drift, jump or never settled
     * @param atNanos start of the new level after a jump, from the start of the run; 0 otherwise
     * @param lengthNanos length of the part of the run that was examined
     */
    record NotSteady(Stationarity found, long atNanos, long lengthNanos) implements Unsteady {
        /** A smaller jump of a tail removes its interval but is not reported first. */
        private static final double LEAST_HEADLINE_FACTOR = 1.25;

        /** Whether it should be reported first. */
        public boolean isHeadline() {
            return found.shape() != Stationarity.Shape.JUMPS
                    || found.percentile() == 50
                    || Math.max(found.change(), 1 / found.change()) >= LEAST_HEADLINE_FACTOR;
        }

        @Override
        public String code() {
            return switch (found.shape()) {
                case DRIFTS -> "drift";
                case JUMPS -> "jump";
                case NEVER_SETTLES -> "never_settled";
                case STEADY -> throw new IllegalStateException("what is steady is no caveat");
            };
        }

        @Override
        public String text() {
            return seen()
                    + "; no intervals are given. Percentiles of such a mixture differ from run to run, so an "
                    + "objective that is met is not sure";
        }

        @Override
        public String brief() {
            return seen();
        }

        /** What changed, and when. */
        public String seen() {
            String name = found.percentile() == 50 ? "the median" : Percentiles.name(found.percentile());
            String factor = String.format(Locale.ROOT, "%.2f", found.change());
            return switch (found.shape()) {
                case DRIFTS -> drift();
                case JUMPS ->
                    name + (found.change() < 1 ? " falls" : " rises") + " to " + factor + " times its value at "
                            + Words.seconds(atNanos);
                default -> "the response time never settles: more than the first third of the run is unlike the rest";
            };
        }

        private String drift() {
            String what = found.percentile() == 50 ? "response times" : Percentiles.name(found.percentile());
            return what + (found.change() < 1 ? " fell" : " grew") + " throughout, from "
                    + DurationText.rounded(Math.round(found.ends().beforeNanos())) + " to "
                    + DurationText.rounded(Math.round(found.ends().afterNanos())) + " (" + perSecond() + " a second): "
                    + Percentiles.name(found.percentile()) + " is no property of this service";
        }

        /** "1 %", "0.52 %": two digits. */
        private String perSecond() {
            double percent = 100 * Math.abs(Math.expm1(Math.log(found.change()) / (lengthNanos / 1e9)));
            return new BigDecimal(percent)
                            .round(new MathContext(2))
                            .stripTrailingZeros()
                            .toPlainString() + " %";
        }

        /** A short form, for an objective that it makes unsure. */
        public String why() {
            return switch (found.shape()) {
                case DRIFTS -> "it drifts";
                case JUMPS -> "it jumps";
                default -> "it never settles";
            };
        }
    }

    /**
     * The start of a run differs from the rest.
     *
     * @param nanos length of the start
     */
    record WarmUp(long nanos) implements Unsteady {
        @Override
        public String text() {
            return "the first " + Words.seconds(nanos)
                    + " are unlike the rest, as in a warm-up, and are part of all percentiles: add a warm-up, or run "
                    + "longer";
        }
    }

    /**
     * All requests were slower for some seconds inside the run, while responses kept coming.
     *
     * @param found the spell
     * @param fromNanos its start, from the start of the run
     * @param toNanos its end
     */
    record SlowSpell(Stationarity.Slower found, long fromNanos, long toNanos) implements Unsteady {
        @Override
        public String text() {
            return brief() + ". That happened once: how often it does is not known";
        }

        @Override
        public String brief() {
            return String.format(
                    Locale.ROOT,
                    "from %s to %s all requests were slower: the median was %.1f times that of the rest",
                    Words.seconds(fromNanos),
                    Words.seconds(toNanos),
                    found.times());
        }
    }
}
