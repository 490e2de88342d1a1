package dev.downbeat.truths;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The correct answers to a scenario, derived from its parameters.
 *
 * @param first the kinds allowed for the first finding
 * @param never the kinds that no finding may have
 * @param exits the allowed exit codes
 * @param numbers required of the first finding
 * @param isMissedAnyway whether the objective would be missed without any event too
 */
record Truth(Set<Kind> first, Set<Kind> never, Set<Integer> exits, List<Expected> numbers, boolean isMissedAnyway) {
    /** What a number in a headline measures. */
    enum Quantity {
        BEGIN_SECONDS,
        LENGTH_SECONDS,
        EVENTS,
        ANSWERED_PER_SECOND,
        OFFERED_PER_SECOND,
        /** The maximum rate over the connections, if they are the limit. */
        CARRIED_PER_SECOND
    }

    /**
     * A number that the headline must contain.
     *
     * @param least the smallest correct value
     * @param most the largest correct value
     */
    record Expected(Quantity of, double least, double most) {}

    Truth {
        first = Set.copyOf(first);
        never = Set.copyOf(never);
        exits = Set.copyOf(exits);
        numbers = List.copyOf(numbers);
    }

    static Truth first(Kind kind, Kind... or) {
        return new Truth(EnumSet.of(kind, or), Set.of(), Set.of(0), List.of(), false);
    }

    Truth exit(Integer... codes) {
        return new Truth(first, never, new LinkedHashSet<>(List.of(codes)), numbers, isMissedAnyway);
    }

    Truth never(Kind kind, Kind... others) {
        return new Truth(first, EnumSet.of(kind, others), exits, numbers, isMissedAnyway);
    }

    /** The objective is missed even without the event, so the event must not be blamed. */
    Truth missedAnyway() {
        return new Truth(first, never, exits, numbers, true);
    }

    /** Requires a number within {@code tolerance} of {@code value}. */
    Truth number(Quantity of, double value, double tolerance) {
        return between(of, value - tolerance, value + tolerance);
    }

    Truth between(Quantity of, double least, double most) {
        List<Expected> more = new ArrayList<>(numbers);
        more.add(new Expected(of, least, most));
        return new Truth(first, never, exits, more, isMissedAnyway);
    }
}
