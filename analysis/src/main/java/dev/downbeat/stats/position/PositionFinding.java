package dev.downbeat.stats.position;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A finding about the positions of requests on their connections. Findings are values, so that programs can act on
 * them; the text is derived.
 */
public sealed interface PositionFinding {
    /** Appended where the client does not report its connections, so that the cause is unknown. */
    String UNREPORTED =
            "This client does not report connections: the cause may be a new connection or the service itself";

    /** A stable name for programs, in snake_case. */
    String code();

    /** What was found and what it means. */
    String text();

    /** A short form for a headline. */
    default String brief() {
        return text();
    }

    /** The cost of first requests: on any connection, or on the first or a later one of a run. */
    record NewConnectionCosts(FirstRequestCost cost, Opened opened, PartNames names) implements PositionFinding {
        private static final long LEAST_SHARE = 100;

        /** Connections, in the order in which a run opens them. */
        public enum Opened {
            ANY("a connection"),
            FIRST_OF_RUN("a client's first connection"),
            LATER("a later connection");

            private final String words;

            Opened(String words) {
                this.words = words;
            }
        }

        @Override
        public String code() {
            return "first_request_cost";
        }

        @Override
        public String text() {
            String parts = cost.partsNanos().entrySet().stream()
                    .filter(part -> Math.abs(part.getValue()) >= Math.max(1, Math.abs(cost.costNanos()) / LEAST_SHARE))
                    .sorted(Map.Entry.<Part, Long>comparingByValue().reversed())
                    .map(part -> names.of(part.getKey()) + " " + PositionWords.time(part.getValue()))
                    .collect(Collectors.joining(", "));
            return brief() + range(cost) + (parts.isEmpty() ? "" : ", consisting of " + parts);
        }

        @Override
        public String brief() {
            return "the first request on " + opened.words + " takes " + PositionWords.extra(cost.costNanos())
                    + " at the median";
        }

        private static String range(FirstRequestCost cost) {
            return " (95 %: " + PositionWords.time(cost.lowNanos()) + " to " + PositionWords.time(cost.highNanos())
                    + ")";
        }
    }

    /** The first request of a run costs more, and the client does not report connections. */
    record FirstOfRun(FirstRequestCost cost) implements PositionFinding {
        @Override
        public String code() {
            return "first_of_run";
        }

        @Override
        public String text() {
            return brief() + NewConnectionCosts.range(cost) + ". " + UNREPORTED;
        }

        @Override
        public String brief() {
            return "the first request of a run takes " + PositionWords.extra(cost.costNanos()) + " at the median";
        }
    }

    /**
     * Connections end after a fixed number of requests.
     *
     * @param lives the number of requests
     * @param closes how they ended
     * @param unanswered unanswered requests at places where a connection ended
     * @param extraNanos additional time of the request after the end, if there were enough of them
     */
    record ClosedAfter(ConnectionLifetimes lives, Closes closes, long unanswered, Optional<Long> extraNanos)
            implements PositionFinding {
        @Override
        public String code() {
            return switch (closes.mostly()) {
                case ANNOUNCED -> "closed_with_notice";
                case SILENT -> "closed_without_notice";
                case OURS -> "closed_by_us";
                case UNKNOWN -> "closed";
            };
        }

        @Override
        public String text() {
            int k = lives.usual();
            String openers = k == 1
                    ? "Every request of a client opens"
                    : "Requests " + (k + 1) + ", " + (2 * k + 1) + ", " + (3 * k + 1) + ", ... of a client open";
            return observation() + ": " + closedBy() + ". " + openers + " a new connection" + price() + risk();
        }

        @Override
        public String brief() {
            return observation()
                    + extraNanos
                            .map(nanos -> "; the next takes " + PositionWords.extra(nanos) + " at the median")
                            .orElse("");
        }

        private String observation() {
            return Numbers.count(lives.withUsual()) + " of " + Numbers.count(lives.ended())
                    + " connections ended after exactly " + Numbers.count(lives.usual(), "request");
        }

        private String closedBy() {
            return switch (closes.mostly()) {
                case ANNOUNCED -> "the server announces it (" + closes.notice() + ")";
                case SILENT -> "the server closes the connection without notice";
                case OURS -> "Downbeat closed them";
                case UNKNOWN -> "it is not known who closed them";
            };
        }

        private String price() {
            return extraNanos
                    .map(nanos -> ": " + PositionWords.extra(nanos) + " at the median")
                    .orElse("");
        }

        private String risk() {
            if (closes.mostly() != Closes.Kind.SILENT) {
                return "";
            }
            return (unanswered == 0 ? ". A" : ". There were " + Numbers.count(unanswered) + " without an answer: a")
                    + " request that leaves at that moment is lost or sent twice";
        }
    }

    /** Connections end, but not after a fixed number of requests. */
    record ClosedIrregularly(ConnectionLifetimes lives, Closes closes) implements PositionFinding {
        @Override
        public String code() {
            return "closed_irregularly";
        }

        @Override
        public String text() {
            return brief() + "; closed by the server with notice "
                    + Numbers.count(closes.withNotice()) + ", without "
                    + Numbers.count(closes.withoutNotice())
                    + ", by Downbeat " + Numbers.count(closes.byUs());
        }

        @Override
        public String brief() {
            String when = lives.shortest() == lives.longest()
                    ? Numbers.count(lives.shortest(), "request") + " each, too few connections to call that a rule"
                    : lives.shortest() + " to " + lives.longest() + " requests, at no fixed number";
            return Numbers.count(lives.ended()) + " connections ended after " + when;
        }
    }

    /**
     * Every n-th request is slow for another reason than the end of a connection.
     *
     * @param period the period
     * @param onConnection whether places are counted on the connection; otherwise in the run
     * @param areConnectionsReported whether the client reports the connection of each request
     * @param mayBeTimer whether there were too few runs to tell it from a timer
     */
    record Periodic(Period period, boolean onConnection, boolean areConnectionsReported, boolean mayBeTimer)
            implements PositionFinding {
        private static final int PLACES_SHOWN = 4;

        @Override
        public String code() {
            return "period";
        }

        @Override
        public String text() {
            return brief() + " ("
                    + PositionWords.time(period.slowNanos()) + ", others " + PositionWords.time(period.otherwiseNanos())
                    + "): requests " + places() + " and so on. "
                    + (areConnectionsReported
                            ? "No connection ends there, so it is something the service does every " + period.length()
                                    + " requests" + orTimer()
                            : UNREPORTED);
        }

        private String orTimer() {
            return mayBeTimer ? ", or by a timer: " + PositionSearch.RUNS_AGAINST_TIMERS + " runs would tell" : "";
        }

        @Override
        public String brief() {
            return "every " + Numbers.ordinal(period.length()) + " request"
                    + (onConnection ? " on a connection" : "") + " takes " + PositionWords.extra(period.extraNanos())
                    + " at the median";
        }

        private String places() {
            return IntStream.rangeClosed(0, PLACES_SHOWN)
                    .boxed()
                    .flatMap(cycle -> period.places().stream().map(place -> place + cycle * period.length()))
                    .limit(PLACES_SHOWN)
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * The percentile spectrum has a step.
     *
     * @param step its position
     * @param period long-run period of the slow requests; 0 if no period explains the step
     * @param slow number of a run's requests at slow places
     * @param length number of a run's requests
     * @param firsts "on its connection" or "of its run", if slow first requests explain the step
     */
    record StepInSpectrum(SpectrumStep step, int period, int slow, int length, Optional<String> firsts)
            implements PositionFinding {
        @Override
        public String code() {
            return firsts.isPresent() ? "step_of_firsts" : isExplained() ? "step_explained" : "step";
        }

        /** Whether a period or slow first requests explain the step. */
        public boolean isExplained() {
            return period > 0 || firsts.isPresent();
        }

        @Override
        public String text() {
            String observation = brief();
            if (firsts.isPresent()) {
                return observation + ": one in " + step.oneIn() + " requests is the first " + firsts.get();
            }
            if (!isExplained()) {
                return observation + ", as if one in " + step.oneIn() + " requests were slow, at no fixed position";
            }
            String limit = PositionWords.percent(100 - 100.0 / period) + " = 1 - 1/" + period;
            return step.isOneIn(period)
                    ? observation + ", and " + limit + ": it is every " + Numbers.ordinal(period) + " request"
                    : observation + ", because " + slow + " of " + length + " requests were slow. In a long run every "
                            + Numbers.ordinal(period) + " is slow, and the step is at " + limit;
        }

        @Override
        public String brief() {
            return "the spectrum steps from " + PositionWords.time(step.belowNanos()) + " to "
                    + PositionWords.time(step.aboveNanos()) + " at " + PositionWords.percent(step.percentile());
        }
    }

    /**
     * The effect of the connections' rule on a long run's spectrum, if these runs do not show it.
     *
     * @param oneIn one in this many requests is the first on its connection
     */
    record FirstsInSpectrum(int oneIn) implements PositionFinding {
        @Override
        public String code() {
            return "firsts_in_spectrum";
        }

        @Override
        public String text() {
            return brief() + ": all beyond "
                    + PositionWords.percent(100 - 100.0 / oneIn) + " = 1 - 1/" + oneIn
                    + " of the spectrum. These runs are too short to show that step";
        }

        @Override
        public String brief() {
            return "in a long run one of " + oneIn + " requests is the first on its connection";
        }
    }

    /** Parts of sentences, independent of the locale. */
    final class PositionWords {
        private PositionWords() {}

        /** A time difference, which may be negative. */
        public static String time(long nanos) {
            return nanos < 0 ? "-" + DurationText.rounded(-nanos) : DurationText.rounded(nanos);
        }

        /** "300 us more", "300 us less". */
        public static String extra(long nanos) {
            return DurationText.rounded(Math.abs(nanos)) + (nanos < 0 ? " less" : " more");
        }

        /** "98.75 %". */
        public static String percent(double percent) {
            return BigDecimal.valueOf(percent)
                            .setScale(2, RoundingMode.HALF_UP)
                            .stripTrailingZeros()
                            .toPlainString()
                    + " %";
        }
    }

    /**
     * A step in the percentile spectrum: beyond a certain share, all requests take much longer. A step at 1 - 1/k is the
     * sign of every k-th request being slow. Immutable.
     *
     * @param beyond share of requests beyond the step, above 0
     * @param belowNanos time just below the step
     * @param aboveNanos time just above the step
     */
    record SpectrumStep(double beyond, long belowNanos, long aboveNanos) {
        /** At a step, the time must grow by this factor ... */
        private static final double LEAST_FACTOR = 1.5;

        /** ... while the share beyond it falls by at most this factor. */
        private static final double WIDTH = 1.2;

        private static final double LARGEST = 0.5;
        private static final int LEAST_BEYOND = 10;

        public SpectrumStep {
            if (!(beyond > 0 && beyond < 1)) {
                throw new IllegalArgumentException("beyond must be above 0 and below 1, but was " + beyond);
            }
        }

        public double percentile() {
            return 100 * (1 - beyond);
        }

        /** The k for which the step is closest to 1 - 1/k. */
        public long oneIn() {
            return Math.round(1 / beyond);
        }

        /** Whether the step is where every k-th request being slow would put it. */
        public boolean isOneIn(double k) {
            return beyond * k < WIDTH && beyond * k > 1 / WIDTH;
        }

        /**
         * The greatest step of a spectrum.
         *
         * @return empty if no step stands out
         */
        public static Optional<SpectrumStep> greatest(Distribution times) {
            Optional<SpectrumStep> greatest = Optional.empty();
            double best = Math.log(LEAST_FACTOR);
            for (double beyond = LARGEST; beyond * times.count() >= LEAST_BEYOND; beyond /= 1.02) {
                long below = valueExceededBy(times, beyond * Math.sqrt(WIDTH));
                long above = valueExceededBy(times, beyond / Math.sqrt(WIDTH));
                double rise = Math.log((double) above / Math.max(1, below));
                if (rise > best && rise > 2 * riseAround(times, beyond)) {
                    best = rise;
                    greatest = Optional.of(edge(times, beyond, below, above));
                }
            }
            return greatest;
        }

        /** The slope of the spectrum on either side; a uniformly steep tail has no step. */
        private static double riseAround(Distribution times, double beyond) {
            double before = Math.log((double) valueExceededBy(times, beyond * 1.1)
                    / Math.max(1, valueExceededBy(times, Math.min(1, beyond * 1.1 * WIDTH))));
            double after = Math.log((double) valueExceededBy(times, beyond / 1.1 / WIDTH)
                    / Math.max(1, valueExceededBy(times, beyond / 1.1)));
            return Math.max(before, after);
        }

        /** Places the step where the time is half way, on a logarithmic scale. */
        private static SpectrumStep edge(Distribution times, double beyond, long below, long above) {
            long middle = Math.round(Math.sqrt((double) below * above));
            double share = (double) times.countAbove(middle) / times.count();
            return new SpectrumStep(share > 0 ? share : beyond, below, above);
        }

        private static long valueExceededBy(Distribution times, double beyond) {
            return times.valueAtPercentile(100 * (1 - Math.min(1, beyond)));
        }
    }

    /**
     * How connections ended, and whether the server announced it. All counts are at least 0.
     *
     * @param withNotice closed by the server with notice
     * @param withoutNotice closed or reset by the server without notice
     * @param byUs closed by Downbeat
     * @param notice how the server gives notice: {@link #HEADER} or {@link #GOAWAY}
     */
    record Closes(long withNotice, long withoutNotice, long byUs, String notice) {
        /** The notice of HTTP/1.1. */
        public static final String HEADER = "`Connection: close`";

        /** The notice of HTTP/2. */
        public static final String GOAWAY = "GOAWAY";

        /** How most connections ended. */
        public enum Kind {
            /** Closed by the server with notice. */
            ANNOUNCED,
            /** Closed by the server without notice. */
            SILENT,
            /** Closed by Downbeat. */
            OURS,
            /** No end was seen. */
            UNKNOWN
        }

        public Closes {
            if (withNotice < 0 || withoutNotice < 0 || byUs < 0) {
                throw new IllegalArgumentException(
                        "counts must be at least 0, but were " + withNotice + ", " + withoutNotice + " and " + byUs);
            }
        }

        /** How most of them ended. */
        public Kind mostly() {
            long most = Math.max(withNotice, Math.max(withoutNotice, byUs));
            return most == 0
                    ? Kind.UNKNOWN
                    : most == withNotice ? Kind.ANNOUNCED : most == withoutNotice ? Kind.SILENT : Kind.OURS;
        }
    }
}
