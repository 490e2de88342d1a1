package dev.downbeat.stats.position;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * The number of requests after which connections ended. The last connection of each run is excluded, since its life is
 * unknown. Immutable.
 *
 * @param ended connections followed by another one
 * @param shortest the least number of requests on one of them; 0 if there are none
 * @param longest the greatest number; 0 if there are none
 * @param usual the most frequent number; 0 if there are none
 * @param withUsual connections that ended after {@code usual} requests
 */
public record ConnectionLifetimes(long ended, int shortest, int longest, int usual, long withUsual) {
    /** The share of connections that must end after the same number for it to be a rule. */
    private static final double RULE = 0.9;

    private static final int LEAST_ENDED = 3;

    public static ConnectionLifetimes of(List<List<SerialRequest>> runs) {
        TreeMap<Integer, Long> lives = new TreeMap<>();
        TreeMap<Integer, Long> unanswered = new TreeMap<>();
        for (List<SerialRequest> run : runs) {
            for (int i = 1; i < run.size(); i++) {
                SerialRequest last = run.get(i - 1);
                if (run.get(i).position() <= last.position()) {
                    (last.answered() ? lives : unanswered).merge(last.position(), 1L, Long::sum);
                }
            }
        }
        unanswered.forEach((position, count) -> lives.merge(life(position, lives.keySet()), count, Long::sum));
        long ended = 0;
        int usual = 0;
        long withUsual = 0;
        for (var life : lives.entrySet()) {
            ended += life.getValue();
            if (life.getValue() > withUsual) {
                usual = life.getKey();
                withUsual = life.getValue();
            }
        }
        return ended == 0
                ? new ConnectionLifetimes(0, 0, 0, 0, 0)
                : new ConnectionLifetimes(ended, lives.firstKey(), lives.lastKey(), usual, withUsual);
    }

    /** Others show whether an unanswered last request broke the connection or found it closed. */
    private static int life(int position, Set<Integer> answered) {
        return answered.contains(position) || position == 1 ? position : position - 1;
    }

    /** Whether nearly every connection ends after the same number of requests. */
    public boolean isRule() {
        return ended >= LEAST_ENDED && withUsual >= RULE * ended;
    }

    /** Service times in request order on each connection; negative without an answer. */
    public static List<long[]> series(List<List<SerialRequest>> runs) {
        List<long[]> series = new ArrayList<>();
        for (List<SerialRequest> run : runs) {
            int begin = 0;
            for (int i = 1; i <= run.size(); i++) {
                if (i == run.size() || run.get(i).position() <= run.get(i - 1).position()) {
                    series.add(times(run.subList(begin, i)));
                    begin = i;
                }
            }
        }
        return series;
    }

    /** Service times in request order; negative without an answer. */
    public static long[] times(List<SerialRequest> requests) {
        return requests.stream()
                .mapToLong(request -> request.answered() ? request.serviceNanos() : -1)
                .toArray();
    }
}
