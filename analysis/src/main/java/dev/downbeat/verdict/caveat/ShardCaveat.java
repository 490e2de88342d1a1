package dev.downbeat.verdict.caveat;

import dev.downbeat.stats.Numbers;
import dev.downbeat.time.DurationText;
import java.util.List;

/** Some of the processes that shared a load did not run as planned. */
public sealed interface ShardCaveat extends Caveat {
    @Override
    default Bearing bearing() {
        return Bearing.INVALIDATES;
    }

    /**
     * The process started after the common start of all shards.
     *
     * @param lateNanos delay of its start
     */
    record StartedLate(long lateNanos) implements ShardCaveat {
        @Override
        public String text() {
            return "this shard missed the planned start and began " + DurationText.rounded(lateNanos)
                    + " late: its load is right, but did not coincide with the others'. Plan a later start for all";
        }

        @Override
        public String brief() {
            return "this shard missed the planned start and began " + DurationText.rounded(lateNanos) + " late";
        }
    }

    /**
     * The shards did not start together.
     *
     * @param skewNanos from the first start to the last, each by its own clock
     */
    record StartSkew(long skewNanos) implements ShardCaveat {
        /** The accepted difference between the starts. */
        public static final long ALLOWED_NANOS = 100_000_000;

        @Override
        public String text() {
            return "the shards did not begin together: the last began " + DurationText.rounded(skewNanos)
                    + " after the first, so the planned load was never offered as a whole";
        }
    }

    /**
     * Some shards have no result.
     *
     * @param missing their numbers, from 0, ascending
     * @param count number of shards in the plan
     */
    record ShardsMissing(List<Integer> missing, int count) implements ShardCaveat {
        public ShardsMissing {
            missing = List.copyOf(missing);
        }

        @Override
        public String text() {
            return "no result came from " + Words.shards(missing) + " of " + Numbers.count(count)
                    + ": the fate of their requests is unknown, and all numbers are of the others only";
        }
    }

    /**
     * Some shards are unsound, which the merged result may not show.
     *
     * @param doubtful their numbers, from 0, ascending
     * @param count number of shards
     * @param why the first one's reason
     */
    record ShardsDoubtful(List<Integer> doubtful, int count, String why) implements ShardCaveat {
        public ShardsDoubtful {
            doubtful = List.copyOf(doubtful);
        }

        @Override
        public String text() {
            return Words.shards(doubtful) + " of " + Numbers.count(count)
                    + (doubtful.size() == 1 ? " is" : " are") + " not to be trusted: "
                    + (doubtful.size() == 1 ? "" : "shard " + doubtful.get(0) + ": ") + why;
        }
    }
}
