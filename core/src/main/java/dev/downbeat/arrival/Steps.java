package dev.downbeat.arrival;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A sequence of arrival processes. A pause is a step with rate 0. Each step starts afresh, so two Poisson steps with
 * the same rate and seed have the same gaps. Give them different seeds.
 *
 * @param steps the steps in order, at least 1; only the last may be endless
 */
public record Steps(List<Step> steps) implements ArrivalProcess {
    public Steps {
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("steps must be at least 1, but were 0");
        }
        long beginNanos = 0;
        for (int i = 0; i < steps.size() - 1; i++) {
            long durationNanos = steps.get(i).durationNanos();
            if (durationNanos >= Step.ENDLESS - beginNanos) {
                throw new IllegalArgumentException(
                        "the steps before the last must last less than 292 years in total, but step " + (i + 1)
                                + " ends later");
            }
            beginNanos += durationNanos;
        }
    }

    @Override
    public IntendedTimes times(int share, int shares) {
        return Shares.of(new Times(steps), share, shares);
    }

    @Override
    public String kind() {
        return "steps";
    }

    @Override
    public String describe() {
        return steps.stream().map(Step::describe).collect(Collectors.joining(", then "));
    }

    private static final class Times implements IntendedTimes {
        private final List<Step> steps;
        private final IntendedTimes[] cursors;
        private int current;
        private long beginNanos;
        private long indexBefore;
        private long index = -1;
        private IntendedTimes lastFrom;

        Times(List<Step> steps) {
            this.steps = steps;
            this.cursors = steps.stream().map(step -> step.process().times()).toArray(IntendedTimes[]::new);
            this.lastFrom = cursors[0];
        }

        @Override
        public long nextNanos() {
            while (current < cursors.length) {
                long durationNanos = steps.get(current).durationNanos();
                IntendedTimes cursor = cursors[current];
                long nanos = cursor.nextNanos();
                if (nanos < durationNanos && nanos < END - beginNanos) {
                    lastFrom = cursor;
                    index = indexBefore + cursor.index();
                    return beginNanos + nanos;
                }
                current++;
                beginNanos += durationNanos;
                indexBefore = index + 1;
            }
            return END;
        }

        @Override
        public long index() {
            return index;
        }

        @Override
        public int owner(int shares) {
            return lastFrom.owner(shares);
        }
    }
}
