package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.StreamCounts;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.record.Recording;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.report.render.Page;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunResult;
import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.bound.ResponseBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** The facts about connections and the cost of new ones. */
final class ConnectionFacts {
    /** If at most this share of connections is opened later, their first requests are those of the run. */
    private static final double LATER = 0.1;

    private final RunResult result;
    private final Recording recording;
    private final Map<String, Object> details;

    ConnectionFacts(RunReport report) {
        this.result = report.result();
        this.recording = result.recording();
        this.details = report.details();
    }

    List<Page.Fact> all() {
        List<Page.Fact> facts = new ArrayList<>();
        if (!result.connections().isNone()) {
            facts.add(Page.Fact.detail("connections", connections()));
            poolUse().ifPresent(use -> facts.add(Page.Fact.detail("pool use", use)));
        }
        if (hasStreams()) {
            facts.add(Page.Fact.detail("streams", streams()));
        }
        String cost = newConnectionCost();
        if (!cost.isEmpty()) {
            facts.add(Page.Fact.detail("new conns", cost));
        }
        return facts;
    }

    /** Connections that carry one request each are mostly being opened, and those are not counted. */
    private Optional<String> poolUse() {
        long planned = details.get("connections") instanceof Number all ? ofProcess(all.longValue(), result.plan()) : 0;
        return details.containsKey("keepalive")
                ? Optional.empty()
                : new ConnectionStates(result.intervals(), planned).inWords();
    }

    /** How many of a plan's connections the process of a shard opens: one for each of its generators in turn. */
    static long ofProcess(long all, RunPlan plan) {
        long turns = all / plan.shares();
        long ofLastTurn = all % plan.shares() - plan.globalIndex(0);
        return turns * plan.generators() + Math.max(0, Math.min(plan.generators(), ofLastTurn));
    }

    boolean hasStreams() {
        return result.connections().streams().begun() > 0;
    }

    private String streams() {
        StreamCounts counts = result.connections().streams();
        Distribution window = recording.waits().window();
        List<String> parts = new ArrayList<>();
        parts.add(Numbers.count(counts.begun()) + " begun");
        add(parts, counts.sentAgain(), "sent again");
        if (!window.isEmpty()) {
            add(parts, window.count(), "bodies waited for the server's window");
            add(parts, window, "window wait");
        }
        return String.join(", ", parts);
    }

    private String connections() {
        ConnectionCounts counts = result.connections();
        List<String> parts = new ArrayList<>();
        parts.add(Numbers.count(counts.opened()) + " opened");
        add(parts, counts.resumed(), "resumed a TLS session");
        add(parts, counts.failed(), "failed to connect");
        add(parts, counts.closedByServerWithNotice(), "closed by the server with notice");
        add(parts, counts.closedByServer(), "closed by the server without notice");
        add(parts, counts.closedByUs(), "closed by Downbeat");
        parts.add(Numbers.count(counts.openAtEnd()) + " open at the end");
        return String.join(", ", parts);
    }

    private static void add(List<String> parts, long count, String noun) {
        if (count > 0) {
            parts.add(Numbers.count(count) + " " + noun);
        }
    }

    private String newConnectionCost() {
        List<String> parts = new ArrayList<>();
        add(parts, recording.waits().lookup(), "lookup");
        add(parts, recording.waits().connect(), "connect");
        PartNames names = PartNames.of(result.connections(), result.counts());
        add(parts, recording.waits().handshake(), names.of(Part.HANDSHAKE));
        ServiceTimesByPosition positions = recording.anatomy().byPosition();
        Distribution first = positions.at(1);
        Distribution rest = positions.afterFirst();
        if (ResponseBounds.hasEnoughFor(50, first.count()) && ResponseBounds.hasEnoughFor(50, rest.count())) {
            parts.add("p50 of first requests " + DurationText.rounded(first.valueAtPercentile(50)) + ", of later ones "
                    + DurationText.rounded(rest.valueAtPercentile(50))
                    + (isOfStart(first.count()) ? " (nearly all connections were opened when the run started)" : ""));
        }
        return String.join("; ", parts);
    }

    /** Whether nearly all first requests were sent when the service may not have been warm. */
    private boolean isOfStart(long firstRequests) {
        long later = result.intervals().stream()
                .skip(1)
                .mapToLong(interval -> interval.connections().opened())
                .sum();
        return later <= LATER * firstRequests;
    }

    private static void add(List<String> parts, Distribution times, String noun) {
        if (times.isEmpty()) {
            return;
        }
        String max = "max " + DurationText.rounded(times.maxNanos());
        boolean hasMedian = ResponseBounds.hasEnoughFor(50, times.count());
        parts.add(noun + " "
                + (hasMedian ? "p50 " + DurationText.rounded(times.valueAtPercentile(50)) + ", " + max : max));
    }

    /**
     * The state of connections at the ends of a run's intervals. Totals do not show whether a pool was ever full, or
     * whether all connections were replaced at once.
     *
     * @param planned the size of the pool, of which fewer may be open; 0 if it is unknown
     */
    record ConnectionStates(List<Interval> intervals, long planned) {
        /**
         * "median 4 of 16, peak 16 at 3.0 s; most connections opened: 64 in the interval ending at 2.0 s"; empty if
         * there is nothing to compare.
         */
        Optional<String> inWords() {
            if (intervals.size() < 2) {
                return Optional.empty();
            }
            Interval busiest = largest(ConnectionCounts::inUseAtEnd);
            if (busiest.connections().inUseAtEnd() == 0) {
                return Optional.empty();
            }
            long open = largest(ConnectionCounts::openAtEnd).connections().openAtEnd();
            long[] inUse = intervals.stream()
                    .mapToLong(interval -> interval.connections().inUseAtEnd())
                    .sorted()
                    .toArray();
            return Optional.of("median " + Numbers.count(inUse[inUse.length / 2]) + " of "
                    + Numbers.count(Math.max(open, planned)) + ", peak "
                    + Numbers.count(busiest.connections().inUseAtEnd()) + " at " + Numbers.seconds(busiest.endNanos())
                    + changes());
        }

        /** Empty, unless connections opened after the first interval, in which they are opened in advance. */
        private String changes() {
            Interval mostOpened = new ConnectionStates(intervals.subList(1, intervals.size()), planned)
                    .largest(ConnectionCounts::opened);
            if (mostOpened.connections().opened() == 0) {
                return "";
            }
            return "; most connections opened: "
                    + Numbers.count(mostOpened.connections().opened()) + " in the interval ending at "
                    + Numbers.seconds(mostOpened.endNanos());
        }

        private Interval largest(ToLongFunction<ConnectionCounts> count) {
            Interval largest = intervals.get(0);
            for (Interval interval : intervals) {
                if (count.applyAsLong(interval.connections()) > count.applyAsLong(largest.connections())) {
                    largest = interval;
                }
            }
            return largest;
        }
    }
}
