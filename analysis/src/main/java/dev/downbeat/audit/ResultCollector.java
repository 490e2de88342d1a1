package dev.downbeat.audit;

import dev.downbeat.audit.AuditFinding.Kind;
import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.HdrHistogram.Histogram;

/**
 * What was read from another tool's result: either its requests, each counted and then discarded, or its distributions.
 * Uses about 20 MB regardless of the file's size. Not thread-safe.
 */
public final class ResultCollector {
    private static final long LONGEST_FILE = 366L * 24 * 3600 * 1_000_000_000L;

    /** Start times after this instant are wall-clock times; no uptime counter has reached it. */
    private static final long YEAR_2000 = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond() * 1_000_000_000L;

    private static final long COARSE = 500_000_000L;
    private static final int MOST_FINDINGS = 100;

    private final Timeline timeline = new Timeline();
    private final WindowTimes windows = new WindowTimes();
    private final Users users = new Users();
    private final Kinds kinds = new Kinds();
    private final Pace pace = new Pace();
    private final LongestRequests longest = new LongestRequests();
    private final Histogram durations = Distribution.newHistogram();
    private final List<Summary> summaries = new ArrayList<>();
    private final Map<String, AuditFinding> findings = new LinkedHashMap<>();

    private String tool = "";
    private String target = "";
    private long resolutionNanos = 1;
    private long durationResolutionNanos;
    private long failed;
    private Optional<ZoneOffset> zone = Optional.of(ZoneOffset.UTC);
    private boolean isZoneKnown;
    private long firstAt;
    private long firstStartAt = Long.MAX_VALUE;
    private long lastStartAt = Long.MIN_VALUE;
    private long lastEndAt = Long.MIN_VALUE;

    /** Sets the tool and format that wrote the file. */
    public void tool(String name) {
        tool = name;
    }

    /** Sets the load's target, if the file contains it. */
    public void target(String url) {
        target = target.isEmpty() ? url : target;
    }

    /** Sets the resolution of the format's times. */
    public void resolutionNanos(long nanos) {
        resolutionNanos = Math.max(1, nanos);
    }

    /** Sets by how much the format's rounding may change a duration, in either direction; 0 if it is negligible. */
    public void durationResolutionNanos(long nanos) {
        durationResolutionNanos = Math.max(0, nanos);
    }

    /** Adds a finding of the reader; only the first of each code counts. */
    public void finding(AuditFinding found) {
        if (findings.size() < MOST_FINDINGS) {
            findings.putIfAbsent(found.code(), found);
        }
    }

    /** Adds the number of iterations of k6 that were due and never started. */
    public void dropped(long iterations) {
        excluded(
                Kind.DROPPED_ITERATIONS,
                iterations,
                Numbers.count(iterations, "iteration") + " never started because no virtual user was free");
    }

    /** Adds the number of requests that the end of the run cut off. */
    public void inFlightAtEnd(long requests) {
        excluded(
                Kind.IN_FLIGHT_AT_END,
                requests,
                Numbers.count(requests, "request was", "requests were") + " in flight at the end");
    }

    /** Adds the number of requests that got no response. */
    public void unanswered(long requests) {
        excluded(Kind.FAILURES, requests, Numbers.count(requests, "request got", "requests got") + " no response");
    }

    public void timedOut(long requests) {
        excluded(Kind.TIMEOUTS, requests, Numbers.count(requests, "request") + " took longer than the timeout");
    }

    private void excluded(Kind kind, long count, String text) {
        if (count > 0) {
            finding(AuditFinding.weighty(kind, text + ": no percentile includes " + (count == 1 ? "it" : "them")));
        }
    }

    /** Adds a distribution contained in the file. */
    public void summary(Summary one) {
        summaries.add(one);
    }

    /**
     * Counts a request of a file without labels.
     *
     * @param startNanos start relative to any common instant; since 1970 if it is wall-clock time
     * @param durationNanos time from the start to the end
     * @param user index of the user who sent it, from 0; -1 if unknown
     * @param hasFailed whether the request failed
     * @throws IllegalArgumentException if the values are impossible
     */
    public void request(long startNanos, long durationNanos, int user, boolean hasFailed) {
        request(startNanos, durationNanos, user, hasFailed, -1);
    }

    /**
     * Counts a request.
     *
     * @param startNanos start relative to any common instant; since 1970 if it is wall-clock time
     * @param durationNanos time from the start to the end
     * @param user index of the user who sent it, from 0; -1 if unknown
     * @param hasFailed whether the request failed
     * @param label index of the request's label, from 0; -1 if unknown
     * @throws IllegalArgumentException if the values are impossible
     */
    public void request(long startNanos, long durationNanos, int user, boolean hasFailed, int label) {
        if (durationNanos < 0) {
            throw new IllegalArgumentException("a request lasted " + durationNanos / 1e6 + " ms");
        }
        if (durationNanos > Distribution.MAX_NANOS) {
            throw new IllegalArgumentException("a request lasted " + DurationText.rounded(durationNanos));
        }
        if (durations.getTotalCount() == 0) {
            firstAt = startNanos;
        }
        long start = startNanos - firstAt;
        if (Math.abs(start) > LONGEST_FILE || Math.abs(startNanos) > Long.MAX_VALUE / 2) {
            throw new IllegalArgumentException("a request started more than a year from the first one");
        }
        long end = start + durationNanos;
        timeline.add(start, end);
        windows.add(start, durationNanos);
        users.add(user, start, end);
        kinds.add(label, durationNanos);
        pace.add(start);
        longest.add(start, end, user, Kinds.of(label));
        durations.recordValue(durationNanos);
        failed += hasFailed ? 1 : 0;
        firstStartAt = Math.min(firstStartAt, start);
        lastStartAt = Math.max(lastStartAt, start);
        lastEndAt = Math.max(lastEndAt, end);
    }

    Timeline timeline() {
        return timeline;
    }

    WindowTimes windows() {
        return windows;
    }

    Users users() {
        return users;
    }

    Kinds kinds() {
        return kinds;
    }

    /** Whether requests start at a constant rate regardless of the service. */
    boolean hasConstantPace() {
        return pace.isConstant(resolutionNanos, durations);
    }

    /** Notes the time zone of a time of day, empty if the file does not name it; the file's first counts. */
    public void zone(Optional<ZoneOffset> named) {
        if (!isZoneKnown) {
            zone = named;
            isZoneKnown = true;
        }
    }

    /** The time zone of the file's times of day, empty if the file does not name it; UTC if they are counts since 1970. */
    Optional<ZoneOffset> zone() {
        return zone;
    }

    /** The wall-clock time at an offset from the first start; empty if the file has no wall-clock times. */
    Optional<Instant> timeOfDay(long nanos) {
        return firstAt >= YEAR_2000 ? Optional.of(Instant.EPOCH.plusNanos(firstAt + nanos)) : Optional.empty();
    }

    LongestRequests longest() {
        return longest;
    }

    Histogram durations() {
        return durations;
    }

    /** The distributions of a file without individual requests. */
    public List<Summary> summaries() {
        return List.copyOf(summaries);
    }

    /** Whether start times are too coarse to conclude anything from them. */
    boolean isCoarse() {
        return resolutionNanos >= COARSE && resolutionNanos > durations.getValueAtPercentile(50);
    }

    /** The durations as a distribution, for files whose start times are too coarse. */
    List<Summary> distributions() {
        return count() == 0 ? summaries() : List.of(ofDurations());
    }

    private Summary ofDurations() {
        Summary.Draft draft = new Summary.Draft();
        for (double percentile : Percentiles.belowMax(Percentiles.Place.SUMMARY)) {
            draft.percentile(percentile, (double) durations.getValueAtPercentile(percentile));
        }
        return draft.count(count())
                .failed(failed)
                .lengthNanos((double) lengthNanos())
                .mean(durations.getMean())
                .max((double) durations.getMaxValue())
                .done();
    }

    List<AuditFinding> findings() {
        return List.copyOf(findings.values());
    }

    /** The tool that wrote the file. */
    public String tool() {
        return tool;
    }

    /** The load's target; empty if unknown. */
    public String target() {
        return target;
    }

    long resolutionNanos() {
        return resolutionNanos;
    }

    long durationResolutionNanos() {
        return durationResolutionNanos;
    }

    long failed() {
        return failed;
    }

    /** How many requests were counted. */
    public long count() {
        return durations.getTotalCount();
    }

    long firstStartNanos() {
        return firstStartAt;
    }

    long lastStartNanos() {
        return lastStartAt;
    }

    /** From the first start to the last end. */
    long lengthNanos() {
        return Math.max(1, lastEndAt - firstStartAt);
    }

    /**
     * The durations of each kind of request, for files with labels. A one-second export does not count as a stall of fast
     * requests. Not thread-safe.
     */
    static final class Kinds {
        /** The most kinds kept; further labels share one kind. */
        private static final int MOST = 200;

        /** Requests below this multiple of their kind's median are ordinary. */
        private static final int UNUSUAL = 5;

        private static final int LEAST = 3;

        private final List<Histogram> times = new ArrayList<>();

        /** The kind of a label; -1 for none. */
        static int of(int label) {
            return Math.min(label, MOST);
        }

        void add(int label, long nanos) {
            int kind = of(label);
            while (times.size() <= kind) {
                times.add(new Histogram(2));
            }
            if (kind >= 0) {
                times.get(kind).recordValue(nanos);
            }
        }

        /** Whether there is more than one kind. */
        boolean areSeveral() {
            return times.size() > 1;
        }

        /** Whether a duration is unusual even for its kind. False for kinds with too few requests to tell. */
        boolean isUnusual(int kind, long nanos) {
            if (!areSeveral() || kind < 0) {
                return true;
            }
            Histogram ofKind = times.get(kind);
            return ofKind.getTotalCount() >= LEAST && nanos >= UNUSUAL * ofKind.getValueAtPercentile(50);
        }
    }

    /**
     * Whether requests start at a constant rate regardless of the service. Gaps in such a schedule are requests that were
     * planned but not sent. Not thread-safe.
     */
    static final class Pace {
        private static final int LEAST = 100;
        private static final int PART = 10;

        private final Histogram gaps = Distribution.newHistogram();
        private long lastStart = Long.MIN_VALUE;

        /** Adds the next request in file order. */
        void add(long startNanos) {
            if (lastStart != Long.MIN_VALUE) {
                gaps.recordValue(Math.min(Distribution.MAX_NANOS, Math.abs(startNanos - lastStart)));
            }
            lastStart = startNanos;
        }

        /**
         * Whether at least 90 % of the gaps between starts are equal, within 10 % or the file's resolution, and vary less
         * than the durations. A closed loop's gaps vary with its durations.
         *
         * @param durations durations of the requests
         */
        boolean isConstant(long resolutionNanos, Histogram durations) {
            if (gaps.getTotalCount() < LEAST) {
                return false;
            }
            long usual = gaps.getValueAtPercentile(50);
            long spread = spread(gaps);
            return usual > 4 * resolutionNanos
                    && spread <= usual / PART + 2 * resolutionNanos
                    && 2 * spread < spread(durations);
        }

        private static long spread(Histogram values) {
            return values.getValueAtPercentile(95) - values.getValueAtPercentile(5);
        }
    }

    /** The longest requests of a file, at most {@value #MOST}. Not thread-safe. */
    static final class LongestRequests {
        static final int MOST = 20_000;

        private final PriorityQueue<Kept> kept = new PriorityQueue<>(Comparator.comparingLong(Kept::nanos));

        /** A request; {@code user} and {@code kind} are -1 if they are not known. */
        record Kept(long startNanos, long endNanos, int user, int kind) {
            long nanos() {
                return endNanos - startNanos;
            }
        }

        void add(long startNanos, long endNanos, int user, int kind) {
            if (kept.size() == MOST) {
                if (endNanos - startNanos <= shortestNanos()) {
                    return;
                }
                kept.remove();
            }
            kept.add(new Kept(startNanos, endNanos, user, kind));
        }

        /** Only requests longer than this are kept. */
        long shortestNanos() {
            Kept shortest = kept.peek();
            return shortest == null || kept.size() < MOST ? 0 : shortest.nanos();
        }

        /** The requests in flight throughout this period. */
        List<Kept> during(long fromNanos, long untilNanos) {
            return kept.stream()
                    .filter(one -> one.startNanos() <= fromNanos && one.endNanos() >= untilNanos)
                    .toList();
        }

        /** The requests that lasted at least this long, in order of their ends. */
        List<Kept> from(long leastNanos) {
            Kept[] all = kept.stream().filter(one -> one.nanos() >= leastNanos).toArray(Kept[]::new);
            Arrays.sort(all, Comparator.comparingLong(Kept::endNanos));
            return List.of(all);
        }
    }

    /**
     * What each closed-loop user did between requests: the delay from a response to the next request, and between starts.
     * Not thread-safe.
     */
    static final class Users {
        /** The most users tracked. */
        static final int MOST = 100_000;

        private long[] startedAt = new long[64];
        private long[] endedAt = new long[64];
        private int count;
        private long overlaps;
        private long followed;
        private boolean areAllKnown = true;

        private final Histogram think = Distribution.newHistogram();
        private final Histogram cycle = Distribution.newHistogram();
        private long longestGapNanos;
        private long longestGapAt;
        private int longestGapOf = -1;

        /** Adds the next request of a user, in order of start times. */
        void add(int user, long startNanos, long endNanos) {
            if (user < 0 || user >= MOST) {
                areAllKnown = false;
                return;
            }
            if (user >= startedAt.length) {
                startedAt = Arrays.copyOf(startedAt, Math.max(user + 1, 2 * startedAt.length));
                endedAt = Arrays.copyOf(endedAt, startedAt.length);
            }
            if (user >= count) {
                Arrays.fill(endedAt, count, user + 1, Long.MIN_VALUE);
                count = user + 1;
            } else if (endedAt[user] != Long.MIN_VALUE) {
                follow(user, startNanos);
            }
            startedAt[user] = startNanos;
            endedAt[user] = endNanos;
        }

        private void follow(int user, long startNanos) {
            followed++;
            long thinkTime = startNanos - endedAt[user];
            long gap = startNanos - startedAt[user];
            if (thinkTime < 0) {
                overlaps++;
                return;
            }
            think.recordValue(Math.min(thinkTime, Distribution.MAX_NANOS));
            cycle.recordValue(Math.min(gap, Distribution.MAX_NANOS));
            if (gap > longestGapNanos) {
                longestGapNanos = gap;
                longestGapAt = startedAt[user];
                longestGapOf = user;
            }
        }

        /** Whether every request of a user starts after the previous one ended, with enough requests to conclude that. */
        boolean areSerial() {
            return areAllKnown && count > 0 && followed >= 3L * count && overlaps * 100 <= followed;
        }

        int count() {
            return count;
        }

        long thinkNanos(double percentile) {
            return think.getTotalCount() == 0 ? 0 : think.getValueAtPercentile(percentile);
        }

        long cycleNanos(double percentile) {
            return cycle.getTotalCount() == 0 ? 0 : cycle.getValueAtPercentile(percentile);
        }

        /** The longest time between two consecutive starts of one user. */
        long longestGapNanos() {
            return longestGapNanos;
        }

        long longestGapAt() {
            return longestGapAt;
        }

        int longestGapOf() {
            return longestGapOf;
        }
    }
}
