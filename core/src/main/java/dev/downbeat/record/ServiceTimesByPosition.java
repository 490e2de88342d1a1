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

    public ServiceTimesByPosition {
        if (all.size() > LAST) {
            throw new IllegalArgumentException("positions must be at most " + LAST + ", but were " + all.size());
        }
        all = List.copyOf(all);
    }

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
        return Distribution.sum(all.stream().skip(1).toList());
    }

    static ServiceTimesByPosition sum(List<ServiceTimesByPosition> parts) {
        int last = parts.stream().mapToInt(ServiceTimesByPosition::last).max().orElse(0);
        List<Distribution> sum = new ArrayList<>();
        List<Distribution> here = new ArrayList<>();
        for (int position = 1; position <= last; position++) {
            for (ServiceTimesByPosition part : parts) {
                if (!part.at(position).isEmpty()) {
                    here.add(part.at(position));
                }
            }
            sum.add(Distribution.sum(here));
            here.clear();
        }
        return last == 0 ? EMPTY : new ServiceTimesByPosition(sum);
    }
}
