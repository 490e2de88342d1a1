package dev.downbeat.record;

import java.util.ArrayList;
import java.util.List;

/**
 * Service times by the position of the request on its connection, so that the price of a first request, or of every
 * eightieth, can be seen. Immutable.
 */
public final class ByPosition {
    /** Positions beyond this one are counted together with it. */
    public static final int LAST = 256;

    private static final ByPosition EMPTY = new ByPosition(List.of());

    /** Index 0 is position 1. */
    private final List<Distribution> service;

    ByPosition(List<Distribution> service) {
        this.service = List.copyOf(service);
    }

    /** No requests. */
    public static ByPosition empty() {
        return EMPTY;
    }

    /**
     * The service times of each position.
     *
     * @param service in the order of the positions, from 1; at most {@link #LAST}
     */
    public static ByPosition of(List<Distribution> service) {
        if (service.size() > LAST) {
            throw new IllegalArgumentException("positions must be at most " + LAST + ", but were " + service.size());
        }
        return new ByPosition(service);
    }

    /** The service times of each position, from 1. */
    public List<Distribution> all() {
        return service;
    }

    /** The greatest position with a request; 0 if there are none. */
    public int last() {
        return service.size();
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
        return position <= service.size() ? service.get(position - 1) : Distribution.empty();
    }

    /** The requests of both. */
    public ByPosition plus(ByPosition other) {
        if (other.service.isEmpty()) {
            return this;
        }
        List<Distribution> sum = new ArrayList<>();
        for (int position = 1; position <= Math.max(last(), other.last()); position++) {
            sum.add(at(position).plus(other.at(position)));
        }
        return new ByPosition(sum);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByPosition that && service.equals(that.service);
    }

    @Override
    public int hashCode() {
        return service.hashCode();
    }
}
