package dev.downbeat.why;

import dev.downbeat.record.KeptRequest;
import dev.downbeat.why.Alignment.Agreement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Which kinds of events explain some slow requests. Each kind is tested on its own ({@link Alignment}), at a level of 1.25 % for
 * all kinds and questions of a run together (Bonferroni, weighted), and must cover more of the slow requests' time than of the
 * controls', and more than by chance. Of those that pass, the one that fits best is a cause; what it does not explain is left to
 * the next; a kind to which hardly anything of its own is left happened together with it.
 */
final class Trial {
    private static final double LEVEL = 0.0125;

    /** With less than this one would not begin. */
    private static final double LEAST_SHARE = 0.05;

    /** By so much must slow requests be covered better than controls. */
    private static final double LEAST_BEYOND_CONTROLS = 0.05;

    /** By so much if slowness itself makes such events longer, as that of threads which wait for work. */
    private static final double LEAST_IF_CONSEQUENCE = 0.25;

    /** By so much must they be covered better than by the same events at other times. */
    private static final double LEAST_BEYOND_CHANCE = 0.05;

    /** And by so much of what they cover: events that go on most of the time cover one overload wherever they are. */
    private static final double LEAST_PART_BEYOND_CHANCE = 0.3;

    /** Of what a kind explains, less than this its own: it happened together with another. */
    private static final double OWN = 0.3;

    /** Fits that differ by less are the same: the outer kind is named. */
    private static final double AS_GOOD = 0.9;

    /** What is said to coincide, though chance may do so too. */
    private static final double NOTEWORTHY_SHARE = 0.2;

    private static final double NOTEWORTHY_PROBABILITY = 0.1;

    private static final int TURNS = 20;

    private static final double Z = 1.96;

    private final SlowRequests requests;
    private final Bursts bursts;
    private final Spans out;
    private final Spans askedOut;
    private final List<KeptRequest> controls;
    private final LoadLevels loads;
    private final double totalNanos;
    private final double[] leftNanos;
    private final List<Found> found = new ArrayList<>();
    private final Set<Suspect> acquitted = new HashSet<>();
    private final List<String> notes = new ArrayList<>();
    private Spans taken = Spans.of(List.of());

    Trial(SlowRequests requests, List<KeptRequest> controls, LoadLevels loads) {
        this.requests = requests;
        this.bursts = new Bursts(requests);
        this.out = requests.out();
        this.askedOut = requests.askedOut();
        this.controls = controls;
        this.loads = loads;
        this.totalNanos = requests.totalNanos();
        this.leftNanos = new double[requests.count()];
        for (int i = 0; i < leftNanos.length; i++) {
            leftNanos[i] = requests.isAsked(i) ? requests.explicableNanos(i) : 0;
        }
    }

    /** A cause, and what of each request it explains. */
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

        void joins(EventKind kind) {
            if (kind != suspect.kind()) {
                together.add(kind);
            }
        }

        double share(double totalNanos) {
            return sum(explainedNanos) / totalNanos;
        }
    }

    /**
     * Tests all of them.
     *
     * @param questions of the same kind that are asked of the run
     * @param known what is a cause in the run as a whole: whether it is one here, too, is a question by itself, which needs no
     *     share of the level with others
     */
    void hear(List<Suspect> suspects, int questions, Set<Suspect> known) {
        Alignment alignment = new Alignment(requests, bursts, out, loads);
        List<Agreement> all = suspects.stream()
                .map(alignment::of)
                .filter(one -> one.largestShare() >= LEAST_SHARE) // else they could explain nothing, wherever they were
                .toList();
        double weights = all.stream().mapToDouble(Trial::weight).sum();
        List<Agreement> proven = new ArrayList<>();
        List<Agreement> doubtful = new ArrayList<>();
        for (Agreement one : all) {
            if (one.share() >= LEAST_SHARE && isBeyondControls(one)) {
                double level = known.contains(one.suspect()) ? LEVEL : LEVEL * weight(one) / weights / questions;
                boolean isProven = one.probability() <= level;
                (isProven ? proven : doubtful).add(one);
                if (!isProven) {
                    acquitted.add(one.suspect());
                }
            }
        }
        while (!proven.isEmpty()) {
            Agreement best = best(proven);
            proven.remove(best);
            judge(best.suspect(), best.share());
        }
        doubtful.forEach(this::coincidence);
    }

    /**
     * Its part of the level. What could agree well at some turn or other gets more of it: that says nothing of the turn at which
     * it is, so all of them together keep the level.
     */
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
                .filter(one -> one.fit() >= AS_GOOD * most)
                .findFirst()
                .orElseThrow();
    }

    /** Names a cause, or adds to one. */
    private void judge(Suspect suspect, double grossShare) {
        double[] own = ofWhatIsLeft(suspect.spans());
        Found cause = new Found(suspect, own, chance(suspect));
        double share = cause.share(totalNanos);
        if (share < Math.max(LEAST_SHARE, OWN * grossShare)) {
            found.stream()
                    .max(Comparator.comparingLong(one -> commonNanos(one.suspect.spans(), suspect.spans())))
                    .ifPresent(one -> one.joins(suspect.kind()));
        } else if (share - cause.chance >= Math.max(LEAST_BEYOND_CHANCE, LEAST_PART_BEYOND_CHANCE * share)) {
            for (int i = 0; i < own.length; i++) {
                leftNanos[i] -= own[i];
            }
            taken = taken.with(suspect.spans());
            found.add(cause);
        }
    }

    private static long commonNanos(Spans one, Spans other) {
        return one.totalNanos() - one.without(other).totalNanos();
    }

    private void coincidence(Agreement agreement) {
        Suspect suspect = agreement.suspect();
        double newly = 1
                - (double) commonNanos(suspect.spans(), taken)
                        / Math.max(1, suspect.spans().totalNanos());
        boolean isWorthIt =
                agreement.share() * newly >= NOTEWORTHY_SHARE && agreement.probability() <= NOTEWORTHY_PROBABILITY;
        if (isWorthIt) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%s %s with %.0f %% of this time, but in a run of this length chance does that in %.1f %% of runs:"
                            + " measure for longer",
                    suspect.kind().words(),
                    suspect.kind().isSingular(2) ? "coincides" : "coincide",
                    100 * agreement.share(),
                    Math.max(0.1, 100 * agreement.probability())));
        }
    }

    List<String> notes() {
        return notes;
    }

    /** Which of them are causes. */
    Set<Suspect> named() {
        return found.stream().map(one -> one.suspect).collect(Collectors.toSet());
    }

    /** Which of them coincide no better than chance. */
    Set<Suspect> acquitted() {
        return acquitted;
    }

    List<Cause> causes() {
        return found.stream()
                .map(this::cause)
                .sorted(Comparator.comparingDouble(Cause::share).reversed())
                .toList();
    }

    double unexplained() {
        double explained =
                found.stream().mapToDouble(one -> one.share(totalNanos)).sum();
        return Math.max(0, 1 - explained);
    }

    private Cause cause(Found one) {
        double share = one.share(totalNanos);
        double clusters = clusters();
        double middle = (share + Z * Z / (2 * clusters)) / (1 + Z * Z / clusters);
        double half = Z
                / (1 + Z * Z / clusters)
                * Math.sqrt(share * (1 - share) / clusters + Z * Z / (4 * clusters * clusters));
        return new Cause(
                one.suspect.kind(),
                List.copyOf(one.together),
                Math.max(1, one.suspect.during(askedOut)), // one that was over before may have left a backlog
                share,
                Math.max(0, Math.min(share, middle - half)),
                Math.min(1, Math.max(share, middle + half)),
                one.chance,
                detail(one.suspect));
    }

    /** Requests of one burst are one: so many bursts of the same weight would tell as much (Kish's effective size). */
    private double clusters() {
        double squares = bursts.all().stream()
                .mapToDouble(burst -> burst.slowNanos() * burst.slowNanos())
                .sum();
        return totalNanos * totalNanos / squares;
    }

    /** What events explain of each request, beside the causes that were found before. */
    private double[] ofWhatIsLeft(Spans spans) {
        double[] own = new Reach(requests, spans.without(taken)).explainedNanos();
        for (int i = 0; i < own.length; i++) {
            own[i] = Math.min(own[i], leftNanos[i]);
        }
        return own;
    }

    /** What the same events would explain of that on average when they are turned at random. */
    private double chance(Suspect suspect) {
        SplittableRandom random = new SplittableRandom(suspect.events().size());
        double sum = 0;
        for (int turn = 0; turn < TURNS; turn++) {
            sum += sum(ofWhatIsLeft(loads.turned(suspect.spans(), random.nextDouble())));
        }
        return sum / TURNS / totalNanos;
    }

    private static double sum(double[] nanos) {
        return Arrays.stream(nanos).sum();
    }

    /** Of the events that went on while requests were out, the detail of those that took longest. */
    private String detail(Suspect suspect) {
        Map<String, Long> nanos = new HashMap<>();
        for (Event event : suspect.events()) {
            nanos.merge(event.detail(), askedOut.coveredNanos(event.startNanos(), event.endNanos()), Long::sum);
        }
        return nanos.entrySet().stream()
                .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
    }
}
