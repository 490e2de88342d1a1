package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.List;
import java.util.Optional;

/** A limit of the data. */
public sealed interface DataLimit extends Caveat {
    @Override
    default Bearing bearing() {
        return Bearing.NOTE;
    }

    /**
     * Some requests were not seen to end, so only lower bounds of some percentiles are known.
     *
     * @param timedOut number of timeouts
     * @param cutOff number of requests in flight or unsent when the run ended
     * @param percentiles affected percentiles, ascending; 100 is the maximum
     */
    record TailCensored(long timedOut, long cutOff, List<Double> percentiles) implements DataLimit {
        public TailCensored {
            percentiles = List.copyOf(percentiles);
        }

        @Override
        public String text() {
            return brief() + (timedOut > cutOff ? ". A longer timeout would show more" : "");
        }

        @Override
        public String brief() {
            String timeouts = timedOut == 0 ? "" : Numbers.count(timedOut) + " timed out";
            String cuts = cutOff == 0 ? "" : Numbers.count(cutOff) + " cut off by the end of the run";
            boolean one = percentiles.size() == 1;
            return "requests whose end was not seen: " + timeouts
                    + (timeouts.isEmpty() || cuts.isEmpty() ? "" : " and ") + cuts + ", so "
                    + Words.percentiles(percentiles)
                    + (one ? " is at least the value shown" : " are at least the values shown");
        }
    }

    /**
     * Some responses were redirects, which are answers but may not have been served.
     *
     * @param redirects number of responses with a status from 300 to 399, except 304
     * @param answered number of responses
     */
    record NotFollowed(long redirects, long answered) implements DataLimit {
        @Override
        public String text() {
            return brief() + ". Use the final URL, or follow redirects";
        }

        @Override
        public String brief() {
            return Numbers.count(redirects) + " of " + Numbers.count(answered)
                    + " answers were redirects, which are not followed: these times are of the redirect alone";
        }
    }

    /**
     * There are too few requests for some percentiles, which are therefore not shown.
     *
     * @param percentiles affected percentiles, ascending, at least one
     * @param count number of requests
     * @param longerNanos a duration sufficient for the first of them; 0 if there is none to recommend
     */
    record TooFewSamples(List<Double> percentiles, long count, long longerNanos) implements DataLimit {
        public TooFewSamples {
            percentiles = List.copyOf(percentiles);
        }

        /** The same caveat without the percentiles that are shown; empty if none are left. */
        public Optional<Caveat> without(List<Double> shown) {
            List<Double> others = percentiles.stream()
                    .filter(percentile -> !shown.contains(percentile))
                    .toList();
            return others.isEmpty() ? Optional.empty() : Optional.of(new TooFewSamples(others, count, longerNanos));
        }

        @Override
        public String text() {
            String advice = longerNanos == 0 ? "" : " (a run of " + DurationText.format(longerNanos) + ")";
            boolean one = percentiles.size() == 1;
            return Words.percentiles(percentiles)
                    + (one ? " is not shown: it " : " are not shown: " + Percentiles.name(percentiles.get(0)) + " ")
                    + ResponseBounds.need(percentiles.get(0), count)
                    + advice;
        }
    }
}
