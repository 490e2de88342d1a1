package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.run.Live;
import java.util.List;

/** What shards write to each other. Instants are nanoseconds since 1970 by the writer's clock. */
final class Note {
    static final String CLOCKS = "clocks";
    static final String AGREED = "agreed";
    static final String STOP = "stop";

    private Note() {}

    static String ready(int shard) {
        return "ready-" + shard;
    }

    static String state(int shard) {
        return "state-" + shard;
    }

    /**
     * A shard could begin, or soon can.
     *
     * @param shard its number in the plan
     * @param id of its process: no other has it
     * @param beat counts up: one that stays the same is of a process that is gone
     * @param sentAtNanos when it was written
     * @param clockOf the id of the shard with whose clock it has compared its own; empty before
     */
    record Ready(int shard, String id, long beat, long sentAtNanos, String clockOf) {}

    /**
     * What the leading shard saw, and when, by its clock.
     *
     * @param leader its id
     * @param writtenAtNanos when this was written
     */
    record Clocks(String leader, long writtenAtNanos, List<Seen> seen) {}

    /** Of one shard the latest beat. */
    record Seen(String id, long beat, long seenAtNanos) {}

    /**
     * What the leading shard decided. It holds for those alone whose ids it names: a note of an earlier meeting names nobody.
     *
     * @param why the run does not begin; empty if it does
     * @param startNanos by the leader's clock
     * @param members in the order in which they share the load
     */
    record Agreed(String why, long startNanos, List<Member> members) {}

    /** A shard of the plan and its process. */
    record Member(int shard, String id) {}

    /** These processes are to end with what they have. */
    record Stop(List<String> ids) {}

    /** Where a shard is. */
    enum Phase {
        RUNNING,
        ENDED
    }

    /**
     * How a shard's run stands.
     *
     * @param elapsedNanos since the start; negative before it
     * @param seen all that it counted so far: a note that is lost costs nothing once the next is there
     */
    record State(int shard, String id, long beat, Phase phase, long elapsedNanos, Counted.Snapshot seen, Live live) {}
}
