package dev.downbeat.cli.shard;

import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.run.Shard;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Which part of a measurement a process makes, and when.
 *
 * @param shard which part
 * @param isNamed whether somebody named it: its result can be merged with others
 * @param start when to begin; empty if at once
 * @param isTold whether a parent process says when
 * @param planId of the plan that it is a part of, if there is one
 */
public record ShardPart(
        Shard shard, boolean isNamed, Optional<Instant> start, boolean isTold, Optional<String> planId) {
    /** Tells the processes of one run that they belong together; whoever starts shards elsewhere may set it too. */
    public static final String RUN_VARIABLE = "DOWNBEAT_RUN";

    /** In a result, the plan that it is a part of. */
    public static final String PLAN_ID = "plan_id";

    /** In a result, which part of the plan. */
    public static final String SHARD = "shard";

    /** All of it, at once. */
    public static final ShardPart WHOLE = new ShardPart(Shard.WHOLE, false, Optional.empty(), false, Optional.empty());

    /** An id that no other run has. */
    public static String newRun() {
        return UUID.randomUUID().toString();
    }

    /** As if it were this shard: to see what mistakes there are. */
    public static ShardPart trial(int shards) {
        return new ShardPart(new Shard(0, shards), false, Optional.empty(), false, Optional.empty());
    }

    /** The same, where somebody else says when. */
    public ShardPart meeting() {
        return new ShardPart(shard, isNamed, Optional.empty(), isTold, planId);
    }

    /** Another part of the same load, which fewer processes share. */
    public ShardPart splitAnew(Shard share) {
        return new ShardPart(share, isNamed, Optional.empty(), isTold, Optional.empty());
    }

    /** What of it stands in a result. */
    public Map<String, Object> details(Measurement value) throws IOException {
        Map<String, Object> details = new LinkedHashMap<>();
        if (isNamed) {
            details.put(PLAN_ID, planId.isPresent() ? planId.get() : PlanId.of(value, shard.count()));
            details.put(SHARD, shard.toString());
        }
        return details;
    }

    /** The words that say which part it is. */
    public String[] words() {
        return isNamed ? new String[] {"--shard=" + shard} : new String[0];
    }
}
