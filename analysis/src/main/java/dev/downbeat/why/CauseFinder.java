package dev.downbeat.why;

import dev.downbeat.record.KeptRequests.KeptRequest;
import dev.downbeat.why.CauseFinder.Alignment.Agreement;
import dev.downbeat.why.LoadLevels.LoadLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Determines which kinds of events explain slow requests. Each kind is tested alone ({@link Alignment}), at a level of
 * 1.25 % for all kinds and questions of a run together (weighted Bonferroni). It must also cover more of the slow
 * requests' time than of the controls', and more than by chance. The best fit among those that pass is a cause, and the
 * time it leaves unexplained goes to the next. A kind with hardly any time of its own only coincides with a cause.
 */
final class CauseFinder {
    private static final double LEVEL = 0.0125;

    /** The least share of slow time worth testing. */
    private static final double LEAST_SHARE = 0.05;

    /** Slow requests must be covered more than controls by at least this share. */
    private static final double LEAST_BEYOND_CONTROLS = 0.05;

    /** The same for events that slowness itself prolongs, such as threads waiting for work. */
    private static final double LEAST_IF_CONSEQUENCE = 0.25;

    /** Slow requests must be covered more than at random times by at least this share. */
    private static final double LEAST_BEYOND_CHANCE = 0.05;

    /** And by at least this part of the coverage: events that are nearly always active cover any overload. */
    private static final double LEAST_PART_BEYOND_CHANCE = 0.3;

    /** A kind whose own part of its explained time is smaller only coincides with another. */
    private static final double OWN = 0.3;

    /** Fits within this ratio are equal; the outer kind is named. */
    private static final double EQUAL_FIT_RATIO = 0.9;

    /** The least share of coinciding events that is mentioned, though it may be chance. */
    private static final double NOTEWORTHY_SHARE = 0.2;

    private static final double NOTEWORTHY_PROBABILITY = 0.1;

    private static final int ROTATIONS = 20;

    private static final double Z = 1.96;

    private final SlowRequests requests;
    private final Bursts bursts;
    private final Spans inFlight;
    private final Spans slowInFlight;
    private final List<KeptRequest> controls;
    private final LoadLevels loads;
    private final double totalNanos;
    private final double[] leftNanos;
    private final List<Found> found = new ArrayList<>();
    private final Set<Suspect> ruledOut = new HashSet<>();
    private final List<Agreement> coincidences = new ArrayList<>();
    private Spans explainedSpans = Spans.of(List.of());

    CauseFinder(SlowRequests requests, List<KeptRequest> controls, LoadLevels loads) {
        this.requests = requests;
        this.bursts = new Bursts(requests);
        this.inFlight = requests.inFlight();
        this.slowInFlight = requests.slowInFlight();
        this.controls = controls;
        this.loads = loads;
        this.totalNanos = requests.totalNanos();
        this.leftNanos = new double[requests.count()];
        for (int i = 0; i < leftNanos.length; i++) {
            leftNanos[i] = requests.isSlow(i) ? requests.explicableNanos(i) : 0;
        }
    }

    /** A cause, and the time of each request that it explains. */
    private static final class Found {
        private final Suspect suspect;
        private final Set<EventKind> together = EnumSet.noneOf(EventKind.class);
        private final double[] explainedNanos;
        private final double chance;

        Found(Suspect suspect, double[] explainedNanos, double chance) {
            this.suspect = suspect;
            this.explainedNanos = explainedNanos;
            this.chance = chance;
        }

        void addCoinciding(EventKind kind) {
            if (kind != suspect.kind()) {
                together.add(kind);
            }
        }

        double share(double totalNanos) {
            return sum(explainedNanos) / totalNanos;
        }
    }

    /** Tests suspects, for one of several questions about the run. Known causes are tested at the full level. */
    void test(List<Suspect> suspects, int questions, Set<Suspect> known) {
        Alignment alignment = new Alignment(requests, bursts, inFlight, loads);
        List<Agreement> all = suspects.stream()
                .map(alignment::of)
                .filter(one -> one.largestShare() >= LEAST_SHARE) // others explain nothing at any rotation
                .toList();
        double weights = all.stream().mapToDouble(CauseFinder::weight).sum();
        List<Agreement> proven = new ArrayList<>();
        List<Agreement> doubtful = new ArrayList<>();
        for (Agreement one : all) {
            if (one.share() >= LEAST_SHARE && isBeyondControls(one)) {
                double level = known.contains(one.suspect()) ? LEVEL : LEVEL * weight(one) / weights / questions;
                boolean isProven = one.probability() <= level;
                (isProven ? proven : doubtful).add(one);
                if (!isProven) {
                    ruledOut.add(one.suspect());
                }
            }
        }
        while (!proven.isEmpty()) {
            Agreement best = best(proven);
            proven.remove(best);
            judge(best.suspect(), best.share());
        }
        doubtful.stream().filter(this::isNoteworthy).forEach(coincidences::add);
    }

    /** The weight of its share of the level: its best fit at any rotation, so that the overall level holds. */
    private static double weight(Agreement agreement) {
        return agreement.largestFit() * agreement.largestFit();
    }

    private boolean isBeyondControls(Agreement agreement) {
        double covered = 0;
        double all = 0;
        for (KeptRequest control : controls) {
            covered += agreement.suspect().spans().coveredNanos(control.dispatchedNanos(), control.completedNanos());
            all += control.completedNanos() - control.dispatchedNanos();
        }
        double beyond = agreement.share() - covered / Math.max(1, all);
        return beyond >= (isConsequence(agreement.suspect().kind()) ? LEAST_IF_CONSEQUENCE : LEAST_BEYOND_CONTROLS);
    }

    private static boolean isConsequence(EventKind kind) {
        return switch (kind) {
            case PARKED, WAITED, SOCKET_READ -> true;
            default -> false;
        };
    }

    private static Agreement best(List<Agreement> proven) {
        double most = proven.stream().mapToDouble(Agreement::fit).max().orElseThrow();
        return proven.stream() // in the order of the kinds
                .filter(one -> one.fit() >= EQUAL_FIT_RATIO * most)
                .findFirst()
                .orElseThrow();
    }

    /** Reports a cause, or adds to one. */
    private void judge(Suspect suspect, double grossShare) {
        double[] own = explainedOfRemainder(suspect.spans());
        Found cause = new Found(suspect, own, chance(suspect));
        double share = cause.share(totalNanos);
        if (share < Math.max(LEAST_SHARE, OWN * grossShare)) {
            found.stream()
                    .max(Comparator.comparingLong(one -> commonNanos(one.suspect.spans(), suspect.spans())))
                    .ifPresent(one -> one.addCoinciding(suspect.kind()));
        } else if (share - cause.chance >= Math.max(LEAST_BEYOND_CHANCE, LEAST_PART_BEYOND_CHANCE * share)) {
            for (int i = 0; i < own.length; i++) {
                leftNanos[i] -= own[i];
            }
            explainedSpans = explainedSpans.with(suspect.spans());
            found.add(cause);
        }
    }

    private static long commonNanos(Spans one, Spans other) {
        return one.totalNanos() - one.without(other).totalNanos();
    }

    private boolean isNoteworthy(Agreement agreement) {
        Suspect suspect = agreement.suspect();
        double newShare = 1
                - (double) commonNanos(suspect.spans(), explainedSpans)
                        / Math.max(1, suspect.spans().totalNanos());
        return agreement.share() * newShare >= NOTEWORTHY_SHARE && agreement.probability() <= NOTEWORTHY_PROBABILITY;
    }

    /** Coincidences with the time named that may be chance, one sentence each. */
    List<String> notes(String time) {
        return coincidences.stream()
                .map(one -> String.format(
                        Locale.ROOT,
                        "%s %s with %.0f %% of %s. Unrelated events would do so in %.1f %% of such runs: run longer to"
                                + " decide",
                        one.suspect().kind().words(),
                        one.suspect().kind().isSingular(2) ? "coincides" : "coincide",
                        100 * one.share(),
                        time,
                        Math.max(0.1, 100 * one.probability())))
                .toList();
    }

    /** The suspects that are causes. */
    Set<Suspect> causingSuspects() {
        return found.stream().map(one -> one.suspect).collect(Collectors.toSet());
    }

    /** The suspects that coincide no better than chance. */
    Set<Suspect> ruledOut() {
        return ruledOut;
    }

    List<EventCause> causes() {
        return found.stream()
                .map(this::cause)
                .sorted(Comparator.comparingDouble(EventCause::share).reversed())
                .toList();
    }

    double unexplained() {
        double explained =
                found.stream().mapToDouble(one -> one.share(totalNanos)).sum();
        return Math.max(0, 1 - explained);
    }

    private EventCause cause(Found one) {
        double share = one.share(totalNanos);
        double clusters = clusters();
        double middle = (share + Z * Z / (2 * clusters)) / (1 + Z * Z / clusters);
        double half = Z
                / (1 + Z * Z / clusters)
                * Math.sqrt(share * (1 - share) / clusters + Z * Z / (4 * clusters * clusters));
        return new EventCause(
                one.suspect.kind(),
                List.copyOf(one.together),
                Math.max(1, one.suspect.during(slowInFlight)), // an earlier event may have left a backlog
                share,
                Math.max(0, Math.min(share, middle - half)),
                Math.min(1, Math.max(share, middle + half)),
                one.chance,
                detail(one.suspect));
    }

    /** Requests of one burst count as one: the effective number of bursts of equal weight (Kish). */
    private double clusters() {
        double squares = bursts.all().stream()
                .mapToDouble(burst -> burst.slowNanos() * burst.slowNanos())
                .sum();
        return totalNanos * totalNanos / squares;
    }

    /** The time of each request that events explain in addition to the causes already found. */
    private double[] explainedOfRemainder(Spans spans) {
        double[] own = new ExplainedTime(requests, spans.without(explainedSpans)).explainedNanos();
        for (int i = 0; i < own.length; i++) {
            own[i] = Math.min(own[i], leftNanos[i]);
        }
        return own;
    }

    /** The mean time that the same events would explain at random rotations. */
    private double chance(Suspect suspect) {
        SplittableRandom random = new SplittableRandom(suspect.events().size());
        double sum = 0;
        for (int rotation = 0; rotation < ROTATIONS; rotation++) {
            sum += sum(explainedOfRemainder(loads.rotated(suspect.spans(), random.nextDouble())));
        }
        return sum / ROTATIONS / totalNanos;
    }

    private static double sum(double[] nanos) {
        return Arrays.stream(nanos).sum();
    }

    /** The detail with the longest total time among the events while requests were in flight. */
    private String detail(Suspect suspect) {
        Map<String, Long> nanos = new HashMap<>();
        for (Event event : suspect.events()) {
            nanos.merge(event.detail(), slowInFlight.coveredNanos(event.startNanos(), event.endNanos()), Long::sum);
        }
        return nanos.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /**
     * The time that events explain of each slow request. For a request in flight during an event it is the event's
     * time. Requests taken up after an event's start wait behind those. As long as such requests follow each other
     * without a gap, the event explains each of them up to its own length. A longer request is unrelated.
     */
    private record ExplainedTime(SlowRequests requests, Spans spans) {
        /** Deferred work takes longer by this factor, since caches are cold. */
        private static final double SLACK = 1.25;

        /** The explained part of each request, in nanoseconds. */
        double[] explainedNanos() {
            double[] explained = new double[requests.count()];
            int span = 0;
            long explainedTo = Long.MIN_VALUE;
            double costNanos = 0;
            for (int i = 0; i < explained.length; i++) {
                long from = requests.from(i);
                long to = requests.to(i);
                long slowNanos = requests.explicableNanos(i);
                for (; span < spans.count() && spans.from(span) <= from; span++) {
                    if (spans.from(span) > explainedTo) {
                        costNanos = 0;
                    }
                    costNanos += spans.to(span) - spans.from(span);
                    explainedTo = Math.max(explainedTo, spans.to(span));
                }
                long during = Math.min(slowNanos, spans.coveredNanos(from, to));
                boolean isBehind = from < explainedTo && slowNanos <= SLACK * costNanos;
                explained[i] = !requests.isSlow(i) ? 0 : isBehind ? slowNanos : during;
                if (isBehind) {
                    explainedTo = Math.max(explainedTo, to);
                }
            }
            return explained;
        }
    }

    /**
     * Tests whether events coincide with slow requests more than at other times of the same load. The events are
     * rotated against the requests in 65,536 steps, separately at each level of the load, and the time that they
     * explain in place is compared with that at other rotations. Events explain the time they cover while slow requests
     * were in flight, or while bursts of those grew, since later requests only wait; the larger of both counts. The
     * result is weighted by the share of the events' own time with slow requests in flight. An event without slow
     * requests is evidence against its kind.
     *
     * <p>If events are unrelated to the requests at the same load, each rotation is equally likely. The probability is
     * then exact, even for bursts, periods, or a common growth with the load.
     */
    static final class Alignment {
        private static final double ROUNDING = 1e-9;

        private final List<LevelSignals> levels;
        private final double totalNanos;

        Alignment(SlowRequests requests, Bursts bursts, Spans inFlight, LoadLevels loads) {
            double lengthNanos = loads.lengthNanos();
            this.levels = loads.levels().stream()
                    .map(level ->
                            new LevelSignals(level, level.lengthNanos() / lengthNanos, requests, bursts, inFlight))
                    .toList();
            this.totalNanos = Math.max(1, requests.totalNanos());
        }

        /** The slow requests at one level of the load. */
        private static final class LevelSignals {
            private final LoadLevel level;
            private final double ofRun;
            private final double[][] slow;
            private final double[][] growing;
            private final double[][] inFlight;

            LevelSignals(LoadLevel level, double ofRun, SlowRequests requests, Bursts bursts, Spans inFlight) {
                this.level = level;
                this.ofRun = ofRun;
                this.slow = CircularSignal.transform(requests.spread(signal()).heights());
                this.growing = CircularSignal.transform(bursts.spread(signal()).heights());
                this.inFlight = CircularSignal.transform(signal().with(inFlight).heights());
            }

            private CircularSignal signal() {
                return new CircularSignal(level, ofRun);
            }

            /** Adds the overlap at each rotation, in nanoseconds. */
            void add(Spans spans, double[] covered, double[] grown, double[] during) {
                CircularSignal signal = signal().with(spans);
                double[] heights = signal.heights();
                if (Arrays.stream(heights).allMatch(height -> height == 0)) {
                    return;
                }
                double[][] events = CircularSignal.transform(heights);
                add(signal, CircularSignal.agreement(events, slow), covered);
                add(signal, CircularSignal.agreement(events, growing), grown);
                add(signal, CircularSignal.agreement(events, inFlight), during);
            }

            private static void add(CircularSignal signal, double[] agreement, double[] sum) {
                int rotationsPerCell = sum.length / agreement.length;
                for (int rotation = 0; rotation < sum.length; rotation++) {
                    sum[rotation] += signal.cellNanos() * agreement[rotation / rotationsPerCell];
                }
            }
        }

        /**
         * The result of the test.
         *
         * @param suspect the events tested
         * @param share share of the slow time that the events cover
         * @param largestShare largest share over all rotations
         * @param precision share of the events' time with slow requests in flight
         * @param largestFit best {@link #fit} over all rotations, with neither factor limited to 1
         * @param probability probability that unrelated events would agree so well
         */
        record Agreement(
                Suspect suspect,
                double share,
                double largestShare,
                double precision,
                double largestFit,
                double probability) {
            /** The quality of the agreement: 1 if events occur exactly when requests are slow. */
            double fit() {
                return share * precision;
            }
        }

        Agreement of(Suspect suspect) {
            Spans spans = suspect.spans();
            double[] covered = new double[CircularSignal.CELLS];
            double[] grown = new double[CircularSignal.CELLS];
            double[] during = new double[CircularSignal.CELLS];
            levels.forEach(level -> level.add(spans, covered, grown, during));
            double[] explained = new double[CircularSignal.CELLS];
            double[] fits = new double[CircularSignal.CELLS];
            double most = 0;
            for (int rotation = 0; rotation < CircularSignal.CELLS; rotation++) {
                explained[rotation] = Math.max(covered[rotation], grown[rotation]) / totalNanos;
                fits[rotation] = explained[rotation] * during[rotation];
                most = Math.max(most, fits[rotation]);
            }
            double precision = 1.0 / Math.max(1, spans.totalNanos());
            return new Agreement(
                    suspect,
                    Math.min(1, explained[0]),
                    Arrays.stream(explained).max().orElse(0),
                    Math.min(1, precision * during[0]),
                    precision * most,
                    probability(fits, most));
        }

        /** The share of rotations that agree at least as well as the events in place. */
        private static double probability(double[] fits, double most) {
            long asGood = Arrays.stream(fits)
                    .filter(fit -> fit >= fits[0] - ROUNDING * most)
                    .count();
            return (double) asGood / CircularSignal.CELLS;
        }
    }

    /**
     * Bursts of slow requests. While something blocks them, more and more are in flight; once it is over, fewer. The cause
     * of a burst thus occurred while it grew, and later slow requests only waited. A burst ends when half of its peak is
     * gone. The next one starts at the following minimum, if the number doubles again.
     */
    private static final class Bursts {
        /** The accepted level before a burst, relative to its height; unrelated requests may be in flight. */
        private static final double GROUND = 0.02;

        private final SlowRequests requests;
        private final List<Burst> all = new ArrayList<>();
        private final int[] ofRequest;

        /** The number in flight when each request began. */
        private final int[] inFlightAt;

        /** The first request of the current burst, and the first one after the minimum since its peak. */
        private int first;

        private int next;
        private int base;
        private int peak;
        private int trough;
        private boolean isOver;
        private long peakUntil;

        /** A burst: when it grew, and the total slow part of its requests. */
        record Burst(long growsFrom, long growsTo, double slowNanos) {}

        Bursts(SlowRequests requests) {
            this.requests = requests;
            this.ofRequest = new int[requests.count()];
            this.inFlightAt = new int[requests.count()];
            find();
        }

        List<Burst> all() {
            return List.copyOf(all);
        }

        /** Adds the slow part of each burst, spread evenly over its time of growth. */
        CircularSignal spread(CircularSignal signal) {
            for (Burst burst : all) {
                signal.add(
                        burst.growsFrom, burst.growsTo, burst.slowNanos / Math.max(1, burst.growsTo - burst.growsFrom));
            }
            return signal;
        }

        /** Processes starts and ends in order of time. */
        private void find() {
            long[] ends = requests.ends();
            int ended = 0;
            for (int begun = 0; begun < requests.count(); begun++) {
                for (; ended < ends.length && ends[ended] <= requests.from(begun); ended++) {
                    ends(ends[ended], begun - ended, begun);
                }
                begins(begun, begun + 1 - ended);
            }
            for (int inFlight = requests.count() - ended; inFlight > 0; inFlight--) {
                ends(ends[ends.length - inFlight], inFlight, requests.count());
            }
            close(requests.count());
        }

        private void begins(int request, int inFlight) {
            inFlightAt[request] = inFlight;
            if (isOver && inFlight >= 2 * trough) {
                close(next);
                first = next;
                base = trough;
                peak = 0;
                isOver = false;
            }
            peak = Math.max(peak, inFlight);
        }

        private void ends(long at, int inFlight, int begun) {
            if (inFlight == peak && !isOver) {
                peakUntil = at;
            }
            int left = inFlight - 1;
            if (!isOver && 2 * (left - base) <= peak - base) {
                isOver = true;
                trough = left;
                next = begun;
            } else if (isOver && left <= trough) {
                trough = left;
                next = begun;
            }
        }

        private void close(int end) {
            double ground = base + Math.max(1, GROUND * (peak - base));
            double slowNanos = 0;
            long growsFrom = Long.MAX_VALUE;
            for (int i = first; i < end; i++) {
                slowNanos += requests.slowNanos(i);
                ofRequest[i] = all.size();
                boolean isBeforePeak = requests.from(i) < peakUntil;
                if (growsFrom == Long.MAX_VALUE || (isBeforePeak && inFlightAt[i] <= ground)) {
                    growsFrom = requests.from(i);
                }
            }
            if (end > first) {
                all.add(new Burst(growsFrom, Math.max(growsFrom, peakUntil), slowNanos));
            }
        }
    }

    /**
     * Events of one kind from all watchers, which are tested together. Kinds with unrelated events, such as waits for
     * different locks, are split by detail.
     *
     * @param kind kind of all events
     * @param events the events as reported
     * @param spans when at least one was going on while watched, widened by the clocks' uncertainty
     */
    record Suspect(EventKind kind, List<Event> events, Spans spans) {
        /** The most details tested separately: the longest, first those active less than half of the time. */
        private static final int MOST_DETAILS = 6;

        private static final String OTHERS = "";

        /** The suspects seen in a period, in the order of their kinds. */
        static List<Suspect> of(List<WatchResult> watched, long start, long end) {
            List<Suspect> all = new ArrayList<>();
            for (EventKind kind : EventKind.values()) {
                List<TimedEvent> timed = new ArrayList<>();
                for (WatchResult one : watched) {
                    for (Event event : one.events()) {
                        long from = Math.max(start, event.startNanos() - one.uncertaintyNanos());
                        long to = Math.min(end, event.endNanos() + one.uncertaintyNanos());
                        if (event.kind() == kind && to > from) {
                            timed.add(new TimedEvent(event, from, to));
                        }
                    }
                }
                if (!timed.isEmpty() && kind.isCause()) {
                    byDetail(kind, timed, (end - start) / 2).forEach(some -> all.add(of(kind, some)));
                }
            }
            return all;
        }

        /** An event and the time it may have taken place. */
        private record TimedEvent(Event event, long from, long to) {}

        private static Suspect of(EventKind kind, List<TimedEvent> timed) {
            return new Suspect(
                    kind,
                    timed.stream().map(TimedEvent::event).toList(),
                    Spans.of(timed.stream()
                            .map(one -> new long[] {one.from, one.to})
                            .toList()));
        }

        private static List<List<TimedEvent>> byDetail(EventKind kind, List<TimedEvent> timed, long halfNanos) {
            if (!kind.isOfThreads()) {
                return List.of(timed);
            }
            Map<String, Long> lengths = new LinkedHashMap<>();
            timed.forEach(one -> lengths.merge(one.event.detail(), one.event.lengthNanos(), Long::sum));
            List<String> longest = lengths.entrySet().stream()
                    .sorted(Comparator.comparing((Map.Entry<String, Long> one) -> one.getValue() > halfNanos)
                            .thenComparing(Map.Entry.comparingByValue(Comparator.reverseOrder())))
                    .limit(MOST_DETAILS)
                    .map(Map.Entry::getKey)
                    .toList();
            Map<String, List<TimedEvent>> byDetail = new LinkedHashMap<>();
            for (TimedEvent one : timed) {
                String detail = one.event.detail();
                byDetail.computeIfAbsent(longest.contains(detail) ? detail : OTHERS, first -> new ArrayList<>())
                        .add(one);
            }
            return List.copyOf(byDetail.values());
        }

        /** The number of events while requests were in flight. */
        int during(Spans inFlight) {
            return (int) events.stream()
                    .filter(event -> inFlight.coveredNanos(
                                    event.startNanos(), Math.max(event.endNanos(), event.startNanos() + 1))
                            > 0)
                    .count();
        }
    }
}
