package dev.downbeat.stats.position;

import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.stats.QuantileInterval;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The additional cost of a connection's first request: the difference of the medians. Immutable.
 *
 * @param costNanos median of first requests less median of the others; negative if first requests are faster
 * @param lowNanos lower end of its 95 % interval
 * @param highNanos upper end of its 95 % interval
 * @param partsNanos the cost by part; the values add up to {@code costNanos}
 * @param first number of answered first requests
 * @param rest number of other answered requests
 */
public record FirstRequestCost(
        long costNanos, long lowNanos, long highNanos, Map<Part, Long> partsNanos, long first, long rest) {
    /** Parts are averaged over requests from this quantile ... */
    private static final double FROM = 0.4;

    /** ... to this one: close to the median, and numerous enough. */
    private static final double TO = 0.6;

    public FirstRequestCost {
        partsNanos = Collections.unmodifiableMap(new EnumMap<>(partsNanos));
    }

    /**
     * The cost over all connections of serial runs, or only over the first of each run if {@link #ofLater later ones} differ.
     *
     * @return empty with fewer than 6 first or other requests, too few for an interval of the median
     */
    public static Optional<FirstRequestCost> of(List<List<SerialRequest>> runs) {
        Places places = Places.of(runs);
        return places.areDistinct() ? cost(places.opening, places.rest) : cost(places.firsts(), places.rest);
    }

    /** The cost over the first connection of each run; empty as with {@link #of}. */
    public static Optional<FirstRequestCost> ofOpening(List<List<SerialRequest>> runs) {
        Places places = Places.of(runs);
        return cost(places.opening, places.rest);
    }

    /** The cost over connections that replaced another; empty as with {@link #of}. */
    public static Optional<FirstRequestCost> ofReplacing(List<List<SerialRequest>> runs) {
        Places places = Places.of(runs);
        return cost(places.later, places.rest);
    }

    /**
     * The cost over connections that replaced another, if it clearly differs from that of a run's first connection. A median
     * of both would fall between them.
     *
     * @return empty with fewer than 6 requests of either, or if their 95 % intervals overlap
     */
    public static Optional<FirstRequestCost> ofLater(List<List<SerialRequest>> runs) {
        return Places.of(runs).areDistinct() ? ofReplacing(runs) : Optional.empty();
    }

    /** Answered requests by their place: first of a run, first of a later connection, any other. */
    private record Places(List<SerialRequest> opening, List<SerialRequest> later, List<SerialRequest> rest) {
        static Places of(List<List<SerialRequest>> runs) {
            Places places = new Places(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (List<SerialRequest> run : runs) {
                for (int i = 0; i < run.size(); i++) {
                    if (run.get(i).answered()) {
                        places.of(i, run.get(i).position()).add(run.get(i));
                    }
                }
            }
            return places;
        }

        private List<SerialRequest> of(int index, int position) {
            return position > 1 ? rest : index == 0 ? opening : later;
        }

        List<SerialRequest> firsts() {
            return Stream.concat(opening.stream(), later.stream()).toList();
        }

        boolean areDistinct() {
            QuantileInterval one = median(opening);
            QuantileInterval other = median(later);
            return one.isBounded() && other.isBounded() && (low(one) > high(other) || low(other) > high(one));
        }
    }

    private static Optional<FirstRequestCost> cost(List<SerialRequest> first, List<SerialRequest> rest) {
        QuantileInterval one = median(first);
        QuantileInterval other = median(rest);
        return one.isBounded() && other.isBounded()
                ? Optional.of(between(one, other, parts(first), parts(rest)))
                : Optional.empty();
    }

    /**
     * The interval of the difference from both intervals.
     *
     * @see <a href="https://doi.org/10.1002/sim.3095">Zou, Donner: Construction of confidence limits about effect
     *     measures, Stat. Med. 27, 2008</a>
     */
    private static FirstRequestCost between(
            QuantileInterval one, QuantileInterval other, Map<Part, Double> oneParts, Map<Part, Double> otherParts) {
        long cost = one.valueNanos() - other.valueNanos();
        double down = Math.hypot(one.valueNanos() - low(one), high(other) - other.valueNanos());
        double up = Math.hypot(high(one) - one.valueNanos(), other.valueNanos() - low(other));
        return new FirstRequestCost(
                cost,
                Math.round(cost - down),
                Math.round(cost + up),
                adjusted(cost, oneParts, otherParts),
                (long) one.effectiveCount(),
                (long) other.effectiveCount());
    }

    private static double low(QuantileInterval interval) {
        return interval.lowNanos().orElseThrow();
    }

    private static double high(QuantileInterval interval) {
        return interval.highNanos().orElseThrow();
    }

    /** Scales the parts, which match the median to a few per cent, to the cost; the largest part absorbs rounding. */
    private static Map<Part, Long> adjusted(long cost, Map<Part, Double> one, Map<Part, Double> other) {
        Map<Part, Double> more = new EnumMap<>(Part.class);
        one.forEach((part, nanos) -> more.put(part, nanos - other.getOrDefault(part, 0.0)));
        double size = more.values().stream().mapToDouble(Math::abs).sum();
        double missing =
                cost - more.values().stream().mapToDouble(Double::doubleValue).sum();
        Map<Part, Long> parts = new EnumMap<>(Part.class);
        long sum = 0;
        for (Map.Entry<Part, Double> part : more.entrySet()) {
            double share = size == 0 ? 0 : Math.abs(part.getValue()) / size;
            long nanos = Math.round(part.getValue() + missing * share);
            parts.put(part.getKey(), nanos);
            sum += nanos;
        }
        Part greatest =
                Collections.max(parts.entrySet(), Map.Entry.comparingByValue()).getKey();
        parts.merge(greatest, cost - sum, Long::sum);
        return parts;
    }

    private static QuantileInterval median(List<SerialRequest> requests) {
        return QuantileInterval.ofIndependent(
                Distribution.of(requests.stream().mapToLong(SerialRequest::serviceNanos)), 50);
    }

    private static Map<Part, Double> parts(List<SerialRequest> requests) {
        List<SerialRequest> sorted = requests.stream()
                .sorted(Comparator.comparingLong(SerialRequest::serviceNanos))
                .toList();
        List<SerialRequest> middle = sorted.subList((int) (sorted.size() * FROM), (int) Math.ceil(sorted.size() * TO));
        Map<Part, Double> means = new EnumMap<>(Part.class);
        for (SerialRequest request : middle) {
            request.parts().forEach((part, nanos) -> means.merge(part, (double) nanos / middle.size(), Double::sum));
        }
        return means;
    }
}
