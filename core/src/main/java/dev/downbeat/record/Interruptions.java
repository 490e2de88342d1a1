package dev.downbeat.record;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Gaps between responses during a run, and pauses of this process: the raw data for incidents. Only the longest of each
 * kind are kept, in time order. Immutable.
 *
 * @param isWatched whether this was recorded; older files have none of it
 * @param silences periods without a response of at least {@link #LEAST_NANOS} while a request was waiting
 * @param gaps all such periods between two responses, whether or not a request was waiting; the last has no end
 * @param pauses of the generators, or of the process if requests come from elsewhere
 * @param medianGapNanos median time between responses; 0 with fewer than two
 * @param startingNanos until this time a client that is still starting cannot be told from an unresponsive service; 0
 *     if the client was warm
 */
public record Interruptions(
        boolean isWatched,
        List<Silence> silences,
        List<Silence> gaps,
        List<Pause> pauses,
        long medianGapNanos,
        long startingNanos) {
    /** Shorter periods are not kept. */
    public static final long LEAST_NANOS = 250_000_000;

    /** Not recorded. */
    public static final Interruptions UNKNOWN = new Interruptions(false, List.of(), List.of(), List.of(), 0, 0);

    private static final int MOST = 256;

    public Interruptions {
        silences = List.copyOf(silences);
        gaps = List.copyOf(gaps);
        pauses = List.copyOf(pauses);
    }

    /** A copy with additional pauses of the same process. */
    public Interruptions withPauses(List<Pause> more) {
        return new Interruptions(
                isWatched,
                silences,
                gaps,
                merged(Stream.concat(pauses.stream(), more.stream())),
                medianGapNanos,
                startingNanos);
    }

    /** Combines two concurrent generators: a silence counts only where neither had a response. */
    public Interruptions beside(Interruptions other) {
        if (!isWatched || !other.isWatched) {
            return isWatched ? this : other;
        }
        List<Silence> both = Stream.concat(intersections(silences, other.gaps), intersections(other.silences, gaps))
                .filter(silence -> silence.waitedNanos() >= LEAST_NANOS)
                .toList();
        return new Interruptions(
                true,
                longest(both.stream()),
                longest(intersections(gaps, other.gaps).filter(gap -> gap.toNanos() - gap.afterNanos() >= LEAST_NANOS)),
                merged(Stream.concat(pauses.stream(), other.pauses.stream())),
                combinedGap(medianGapNanos, other.medianGapNanos),
                Math.max(startingNanos, other.startingNanos));
    }

    /** Responses of both interleave, so their rates are added. */
    private static long combinedGap(long one, long other) {
        return one == 0 || other == 0 ? Math.max(one, other) : Math.round(1 / (1.0 / one + 1.0 / other));
    }

    private static Stream<Silence> intersections(List<Silence> some, List<Silence> others) {
        return some.stream()
                .flatMap(one -> others.stream()
                        .filter(other -> other.afterNanos() < one.toNanos() && one.afterNanos() < other.toNanos())
                        .map(one::intersection));
    }

    /** A silence found from both sides is one. It ends when both have caught up. */
    private static List<Silence> longest(Stream<Silence> all) {
        Map<List<Long>, Silence> once = new LinkedHashMap<>();
        all.forEach(silence -> once.merge(
                List.of(silence.afterNanos(), silence.fromNanos(), silence.toNanos()),
                silence,
                (one, other) -> one.caughtUpNanos() >= other.caughtUpNanos() ? one : other));
        return once.values().stream()
                .sorted(Comparator.comparingLong((Silence silence) -> silence.afterNanos() - silence.toNanos()))
                .limit(MOST)
                .sorted(Comparator.comparingLong(Silence::afterNanos))
                .toList();
    }

    /** Merges overlapping pauses, since several threads observe the same pause. */
    private static List<Pause> merged(Stream<Pause> all) {
        List<Pause> merged = new ArrayList<>();
        for (Pause pause :
                all.sorted(Comparator.comparingLong(Pause::fromNanos)).toList()) {
            int last = merged.size() - 1;
            if (last >= 0 && pause.fromNanos() <= merged.get(last).toNanos()) {
                Pause before = merged.get(last);
                merged.set(last, new Pause(before.fromNanos(), Math.max(before.toNanos(), pause.toNanos())));
            } else {
                merged.add(pause);
            }
        }
        return merged.stream()
                .sorted(Comparator.comparingLong(Pause::lengthNanos).reversed())
                .limit(MOST)
                .sorted(Comparator.comparingLong(Pause::fromNanos))
                .toList();
    }

    /** Appends those of a run that started this much later. */
    public Interruptions then(Interruptions later, long nanos) {
        return new Interruptions(
                isWatched || later.isWatched,
                longest(Stream.concat(silences.stream(), later.silences.stream().map(silence -> silence.later(nanos)))),
                longest(Stream.concat(gaps.stream(), later.gaps.stream().map(gap -> gap.later(nanos)))),
                merged(Stream.concat(
                        pauses.stream(),
                        later.pauses.stream()
                                .map(pause -> new Pause(pause.fromNanos() + nanos, pause.toNanos() + nanos)))),
                Math.max(medianGapNanos, later.medianGapNanos),
                startingNanos);
    }

    /**
     * A period in which this process or a generator thread was not running although it should have been; in nanoseconds
     * from the start of the run.
     *
     * @param fromNanos when it should have continued
     * @param toNanos when it continued
     */
    public record Pause(long fromNanos, long toNanos) {
        public Pause {
            if (toNanos < fromNanos) {
                throw new IllegalArgumentException("toNanos must be at least " + fromNanos + ", but was " + toNanos);
            }
        }

        public long lengthNanos() {
            return toNanos - fromNanos;
        }
    }

    /**
     * A period without any response, in nanoseconds from the start of the run.
     *
     * @param afterNanos time of the previous response; 0 if there was none
     * @param fromNanos when a request began to wait: {@code afterNanos} if one was in flight, otherwise when the next
     *     request was due
     * @param toNanos time of the next response or the end of the run
     * @param caughtUpNanos when responses were as prompt as before; at least {@code toNanos}
     */
    public record Silence(long afterNanos, long fromNanos, long toNanos, long caughtUpNanos) {
        /** How long requests waited. */
        public long waitedNanos() {
            return toNanos - fromNanos;
        }

        Silence later(long nanos) {
            return new Silence(
                    afterNanos + nanos, fromNanos + nanos, endLater(toNanos, nanos), endLater(caughtUpNanos, nanos));
        }

        private static long endLater(long endNanos, long nanos) {
            return endNanos == Long.MAX_VALUE ? endNanos : endNanos + nanos;
        }

        /** The intersection with a silence of another source of responses. */
        Silence intersection(Silence other) {
            long after = Math.max(afterNanos, other.afterNanos);
            long to = Math.min(toNanos, other.toNanos);
            return new Silence(
                    after,
                    Math.max(after, Math.min(fromNanos, other.fromNanos)),
                    to,
                    caughtUpNanos == Long.MAX_VALUE ? to : Math.max(to, caughtUpNanos));
        }
    }

    /** Keeps the longest of many spans in preallocated arrays. Not thread-safe. */
    public static final class LongestSpans {
        private static final int KEPT = 128;

        private final long[] afterAt = new long[KEPT];
        private final long[] fromAt = new long[KEPT];
        private final long[] toAt = new long[KEPT];
        private final long[] caughtUpAt = new long[KEPT];
        private final long[] lengthNanos = new long[KEPT];
        private int count;

        public void add(long from, long to) {
            add(from, from, to, to - from);
        }

        /** Adds a silence. Returns its index, valid until it is replaced; -1 if enough longer ones are stored. */
        public int add(long after, long from, long to, long length) {
            int place = count < KEPT ? count++ : shortest(length);
            if (place >= 0) {
                afterAt[place] = after;
                fromAt[place] = from;
                toAt[place] = to;
                caughtUpAt[place] = to;
                lengthNanos[place] = length;
            }
            return place;
        }

        private int shortest(long length) {
            int shortest = 0;
            for (int i = 1; i < KEPT; i++) {
                if (lengthNanos[i] < lengthNanos[shortest]) {
                    shortest = i;
                }
            }
            return lengthNanos[shortest] < length ? shortest : -1;
        }

        public void caughtUp(int place, long at) {
            caughtUpAt[place] = at;
        }

        /** The spans as pauses, relative to the start of a run; earlier ones are omitted. */
        public List<Pause> pauses(long startAt) {
            List<Pause> pauses = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (toAt[i] - startAt > 0) {
                    pauses.add(new Pause(Math.max(0, fromAt[i] - startAt), toAt[i] - startAt));
                }
            }
            return pauses;
        }

        /** The spans as silences, relative to the start of a run. */
        public List<Silence> silences(long startAt) {
            List<Silence> silences = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                silences.add(new Silence(
                        afterAt[i] - startAt, fromAt[i] - startAt, toAt[i] - startAt, caughtUpAt[i] - startAt));
            }
            return silences;
        }
    }
}
