package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.steady.Stationarity;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A reason to doubt a measurement or to read it with care. Caveats are values, so that programs can act on them; the
 * text is derived. One type per kind of reason.
 */
public sealed interface Caveat
        permits RunDefect, Caveat.OwnDelay, LoadCaveat, Caveat.DataLimit, Caveat.Unsteady, Caveat.ShardCaveat {
    /** The effect of a reason on the conclusions. */
    enum Severity {
        /** The numbers answer no question. */
        INVALIDATES,
        /** A considerable part of some times may be Downbeat's delay, as each row and objective states. */
        OURS,
        /** For information only. */
        NOTE
    }

    /** A stable name for programs: the type's name in snake_case, unless the type has several names. */
    default String code() {
        return getClass().getSimpleName().replaceAll("(?<!^)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** One line: what was found, what it means, and what can be done about it. */
    String text();

    /** A short form without a full stop, for use in a headline. */
    default String brief() {
        return text();
    }

    /** The effect on the conclusions. */
    Severity severity();

    /** Whether it is more than a note. {@link RunVerdict#doubts} lists those that make a measurement unsound. */
    default boolean isDoubt() {
        return severity() != Severity.NOTE;
    }

    /** Whether even a missed objective proves nothing. */
    default boolean invalidatesMisses() {
        return false;
    }

    /** Whether a missed time proves nothing, nor does a timeout; failures still do. */
    default boolean invalidatesLateness() {
        return false;
    }

    sealed interface DataLimit extends Caveat {
        @Override
        default Severity severity() {
            return Severity.NOTE;
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
                String timeouts = timedOut == 0 ? "" : Numbers.count(timedOut, "request") + " timed out";
                String cuts = cutOff == 0
                        ? ""
                        : (timedOut == 0
                                        ? Numbers.count(cutOff, "request was", "requests were")
                                        : Numbers.count(cutOff, "was", "were"))
                                + " unfinished when the run ended";
                boolean one = percentiles.size() == 1;
                return timeouts + (timeouts.isEmpty() || cuts.isEmpty() ? "" : " and ") + cuts + ": "
                        + CaveatText.percentiles(percentiles)
                        + (one ? " is a lower bound" : " are lower bounds");
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
                        + " responses were redirects, which are not followed: times cover the redirect only";
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
            public Optional<Caveat> without(Set<Double> shown) {
                List<Double> others = percentiles.stream()
                        .filter(percentile -> !shown.contains(percentile))
                        .toList();
                return others.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new TooFewSamples(
                                others, count, others.get(0).equals(percentiles.get(0)) ? longerNanos : 0));
            }

            @Override
            public String text() {
                String advice = longerNanos == 0 ? "" : " (run for " + DurationText.format(longerNanos) + ")";
                boolean one = percentiles.size() == 1;
                return CaveatText.percentiles(percentiles)
                        + (one ? " is not shown: it " : " are not shown: " + Percentiles.name(percentiles.get(0)) + " ")
                        + ResponseBounds.need(percentiles.get(0), count)
                        + advice;
            }
        }
    }

    /** Some of the processes that shared a load did not run as planned. */
    sealed interface ShardCaveat extends Caveat {
        @Override
        default Severity severity() {
            return Severity.INVALIDATES;
        }

        /** The process started after the common start of all shards. */
        record StartedLate(long lateNanos) implements ShardCaveat {
            /** As with {@link StartSkew}, nearly all of the load coincides in spite of a short delay. */
            @Override
            public Severity severity() {
                return lateNanos > StartSkew.ALLOWED_NANOS ? Severity.INVALIDATES : Severity.NOTE;
            }

            @Override
            public String text() {
                return isDoubt()
                        ? brief()
                                + ": its load is complete but did not coincide with the other shards'. Plan a later"
                                + " start for all"
                        : brief();
            }

            @Override
            public String brief() {
                return "this shard missed the planned start and started " + DurationText.rounded(lateNanos) + " late";
            }
        }

        /**
         * The shards did not start together.
         *
         * @param skewNanos from the first start to the last, each by its own clock
         */
        record StartSkew(long skewNanos) implements ShardCaveat {
            /** The accepted difference between the starts. */
            public static final long ALLOWED_NANOS = 100_000_000;

            @Override
            public String text() {
                return "the shards did not start together: the last started " + DurationText.rounded(skewNanos)
                        + " after the first, so the planned load was never offered as a whole";
            }
        }

        /**
         * Some shards have no result.
         *
         * @param missing their numbers, from 0, ascending
         */
        record ShardsMissing(List<Integer> missing, int count) implements ShardCaveat {
            public ShardsMissing {
                missing = List.copyOf(missing);
            }

            @Override
            public String text() {
                return "no result came from " + CaveatText.shards(missing, count)
                        + ": the fate of " + (missing.size() == 1 ? "its" : "their")
                        + " requests is unknown, and all numbers cover the other shards only";
            }
        }

        /**
         * Some shards are unsound, which the merged result may not show.
         *
         * @param doubtful their numbers, from 0, ascending
         * @param count number of shards
         * @param why the first one's reason
         */
        record ShardsDoubtful(List<Integer> doubtful, int count, String why) implements ShardCaveat {
            public ShardsDoubtful {
                doubtful = List.copyOf(doubtful);
            }

            @Override
            public String text() {
                return CaveatText.shards(doubtful, count)
                        + (doubtful.size() == 1 ? " is" : " are") + " unsound: "
                        + (doubtful.size() == 1 ? "" : "shard " + doubtful.get(0) + ": ") + why;
            }
        }
    }

    /** Downbeat was late, paused or busy, so a part of the times is its own delay. */
    sealed interface OwnDelay extends Caveat {
        /**
         * Downbeat was late, or too busy to read responses, which may be a considerable part of the measured times.
         *
         * @param percentile percentile with the largest part
         * @param oursNanos the part that may be Downbeat's delay
         * @param responseNanos response time at that percentile
         * @param punctualNanos response time at that percentile without that part
         */
        record GeneratorLate(double percentile, long oursNanos, long responseNanos, long punctualNanos)
                implements OwnDelay {
            private static final long DOUBTFUL_NANOS = 1_000_000;

            @Override
            public String text() {
                String rest = punctualNanos == 0
                        ? "all of it may be Downbeat's"
                        : "without it " + Percentiles.name(percentile) + " is at least "
                                + DurationText.rounded(punctualNanos);
                return brief() + " (late sends or reads); " + rest + ". "
                        + (oursNanos < DOUBTFUL_NANOS ? "A quieter machine reduces it" : CaveatText.HELP);
            }

            @Override
            public String brief() {
                return Percentiles.name(percentile) + " of " + DurationText.rounded(responseNanos) + " includes up to "
                        + DurationText.rounded(oursNanos) + " of Downbeat's own delay";
            }

            /** A part below a millisecond and below half is only a note. */
            @Override
            public Severity severity() {
                return oursNanos >= DOUBTFUL_NANOS || oursNanos > responseNanos / 2 ? Severity.OURS : Severity.NOTE;
            }
        }

        /**
         * Downbeat was paused.
         *
         * @param largestNanos the longest pause
         * @param atNanos when it ended, from the start of the run
         * @param largestResponseNanos the longest response time
         */
        record HiccupDuringRun(long largestNanos, long atNanos, long largestResponseNanos) implements OwnDelay {
            /** Shorter pauses are not mentioned. */
            public static final long NOTEWORTHY_NANOS = 20_000_000;

            private static final long DOUBTFUL_NANOS = 100_000_000;

            @Override
            public String text() {
                String pause = "Downbeat itself was paused for " + DurationText.rounded(largestNanos) + " (ending at "
                        + Numbers.seconds(atNanos) + ")";
                return isDoubt() ? pause + ": part of the tail is Downbeat's, not the service's" : pause;
            }

            @Override
            public Severity severity() {
                boolean isNotable = largestNanos >= DOUBTFUL_NANOS && largestNanos >= largestResponseNanos / 10;
                // A pause longer than twice every response fell between requests.
                boolean metRequests = largestNanos / 2 <= largestResponseNanos;
                return isNotable && metRequests ? Severity.OURS : Severity.NOTE;
            }
        }

        /** Downbeat was delayed repeatedly, which the longest pause alone does not show. */
        record OftenLate(long lateNanos, long wallNanos) implements OwnDelay {
            private static final double DOUBTFUL_SHARE = 0.05;

            @Override
            public String text() {
                return brief() + ": part of the response times is Downbeat's own delay. " + CaveatText.HELP;
            }

            @Override
            public String brief() {
                long perMille = lateNanos * 1_000 / Math.max(1, wallNanos);
                return "Downbeat itself was paused, or waited for a processor, for "
                        + PercentText.of(perMille / 1_000.0) + " of the time";
            }

            @Override
            public Severity severity() {
                return lateNanos > wallNanos * DOUBTFUL_SHARE ? Severity.OURS : Severity.NOTE;
            }
        }

        /**
         * No connection or stream was free while Downbeat was busy nearly all the time, so Downbeat was too slow, not the
         * service.
         *
         * @param fullNanos time without a free connection or stream
         * @param busyShare share of that time in which Downbeat was busy, from 0 to 1
         */
        record ClientBusy(long fullNanos, double busyShare) implements OwnDelay {
            @Override
            public String text() {
                return brief() + ", so response times include its own delay. " + CaveatText.HELP;
            }

            @Override
            public String brief() {
                return "all connections were in use for " + DurationText.rounded(fullNanos)
                        + ", and Downbeat was busy for " + PercentText.of(busyShare) + " of that time";
            }

            @Override
            public Severity severity() {
                return Severity.OURS;
            }
        }
    }

    /** The service changed while its load did not. The measurement can be trusted; the service is not steady. */
    sealed interface Unsteady extends Caveat {
        @Override
        default Severity severity() {
            return Severity.NOTE;
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

            /** The same change, timed from another instant. */
            public NotSteady since(long originNanos) {
                return new NotSteady(found, Math.max(0, atNanos - originNanos), lengthNanos);
            }

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
                return description()
                        + ". Confidence intervals are not available, and a rerun may miss objectives that this run met";
            }

            @Override
            public String brief() {
                return description();
            }

            /** What changed, and when. */
            public String description() {
                String name = found.percentile() == 50 ? "the median" : Percentiles.name(found.percentile());
                String percent = Numbers.count(Math.round(100 * found.change())) + " %";
                return switch (found.shape()) {
                    case DRIFTS -> drift();
                    case JUMPS ->
                        name + (found.change() < 1 ? " fell" : " rose") + " to " + percent + " at "
                                + Numbers.seconds(atNanos);
                    default ->
                        "response times never settle: more than the first third of the run differs from the rest";
                };
            }

            private String drift() {
                String subject = found.percentile() == 50 ? "response times" : Percentiles.name(found.percentile());
                return subject + (found.change() < 1 ? " fell" : " grew") + " throughout, from "
                        + DurationText.rounded(Math.round(found.ends().beforeNanos())) + " to "
                        + DurationText.rounded(Math.round(found.ends().afterNanos())) + " (" + perSecond()
                        + " a second): "
                        + Percentiles.name(found.percentile()) + " does not describe this service";
            }

            /** "1 %", "0.52 %": two digits. */
            private String perSecond() {
                double percent = 100 * Math.abs(Math.expm1(Math.log(found.change()) / (lengthNanos / 1e9)));
                return new BigDecimal(percent)
                                .round(new MathContext(2))
                                .stripTrailingZeros()
                                .toPlainString() + " %";
            }

            /** A short form, for objectives that it makes uncertain. */
            public String why() {
                return switch (found.shape()) {
                    case DRIFTS -> "response times drift";
                    case JUMPS -> "response times jump";
                    default -> "response times never settle";
                };
            }
        }

        /** The start of a run differs from the rest. */
        record WarmUp(long nanos) implements Unsteady {
            @Override
            public String text() {
                return "the first " + Numbers.seconds(nanos)
                        + " look like a warm-up and are included in all percentiles: add a warm-up, or run"
                        + " longer";
            }
        }

        /** All requests were slower for some seconds inside the run, while responses arrived. */
        record SlowSpell(Stationarity.Slower found, long fromNanos, long toNanos) implements Unsteady {
            @Override
            public String text() {
                return brief() + ". It happened once, so its frequency is unknown";
            }

            @Override
            public String brief() {
                return String.format(
                        Locale.ROOT,
                        "from %s to %s all requests were slower: their median was %.1f times that of the rest",
                        Numbers.seconds(fromNanos),
                        Numbers.seconds(toNanos),
                        found.times());
            }
        }
    }
}
