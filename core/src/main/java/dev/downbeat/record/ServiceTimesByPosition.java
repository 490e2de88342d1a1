package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/**
 * Service times by position of the request on its connection. This exposes the cost of the first request, or of every
 * eightieth.
 *
 * @param all the service times per position, from 1; at most {@link #LAST} positions
 */
public record ServiceTimesByPosition(List<Distribution> all) {
    /** Later positions are counted here too. */
    public static final int LAST = 256;

    private static final ServiceTimesByPosition EMPTY = new ServiceTimesByPosition(List.of());

    /** Rejects more positions than are distinguished. */
    public ServiceTimesByPosition {
        if (all.size() > LAST) {
            throw new IllegalArgumentException("positions must be at most " + LAST + ", but were " + all.size());
        }
        all = List.copyOf(all);
    }

    /** No requests. */
    public static ServiceTimesByPosition empty() {
        return EMPTY;
    }

    /** The last position with a request; 0 if there are none. */
    public int last() {
        return all.size();
    }

    /**
     * Service times at one position.
     *
     * @param position from 1 to {@link #LAST}, which includes all later positions
     */
    public Distribution at(int position) {
        if (position < 1 || position > LAST) {
            throw new IllegalArgumentException("position must be from 1 to " + LAST + ", but was " + position);
        }
        return position <= all.size() ? all.get(position - 1) : Distribution.empty();
    }

    /** Service times at all positions but the first. */
    public Distribution afterFirst() {
        return all.stream().skip(1).reduce(Distribution.empty(), Distribution::plus);
    }

    /** The requests of both. */
    public ServiceTimesByPosition plus(ServiceTimesByPosition other) {
        if (other.all.isEmpty()) {
            return this;
        }
        List<Distribution> sum = new ArrayList<>();
        for (int position = 1; position <= Math.max(last(), other.last()); position++) {
            sum.add(at(position).plus(other.at(position)));
        }
        return new ServiceTimesByPosition(sum);
    }
}
