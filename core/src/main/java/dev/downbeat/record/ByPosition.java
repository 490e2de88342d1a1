package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/**
 * Service times by the position of the request on its connection, so that the price of a first request, or of every
 * eightieth, can be seen.
 *
 * @param all the service times of each position, in their order from 1; at most {@link #LAST}
 */
public record ByPosition(List<Distribution> all) {
    /** Positions beyond this one are counted together with it. */
    public static final int LAST = 256;

    private static final ByPosition EMPTY = new ByPosition(List.of());

    /** Refuses more positions than are told apart. */
    public ByPosition {
        if (all.size() > LAST) {
            throw new IllegalArgumentException("positions must be at most " + LAST + ", but were " + all.size());
        }
        all = List.copyOf(all);
    }

    /** No requests. */
    public static ByPosition empty() {
        return EMPTY;
    }

    /** The greatest position with a request; 0 if there are none. */
    public int last() {
        return all.size();
    }

    /**
     * Service times of the requests at one position.
     *
     * @param position from 1 to {@link #LAST}, which stands for itself and all after it
     */
    public Distribution at(int position) {
        if (position < 1 || position > LAST) {
            throw new IllegalArgumentException("position must be from 1 to " + LAST + ", but was " + position);
        }
        return position <= all.size() ? all.get(position - 1) : Distribution.empty();
    }

    /** The requests of both. */
    public ByPosition plus(ByPosition other) {
        if (other.all.isEmpty()) {
            return this;
        }
        List<Distribution> sum = new ArrayList<>();
        for (int position = 1; position <= Math.max(last(), other.last()); position++) {
            sum.add(at(position).plus(other.at(position)));
        }
        return new ByPosition(sum);
    }
}
