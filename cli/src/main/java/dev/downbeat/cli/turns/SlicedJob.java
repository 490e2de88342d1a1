package dev.downbeat.cli.turns;

import dev.downbeat.cli.job.Job;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.cli.queue.QueueDemo;
import dev.downbeat.cli.shard.ShardPart;
import dev.downbeat.run.RunPlan;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A measurement in several short slices, in turns with others.
 *
 * @param name as the user would write it
 * @param whole all slices together
 * @param plans plan of each slice
 */
public record SlicedJob(String name, Job whole, Plans plans) {
    /** The plan of a turn; the n-th one has the same random numbers in every job. */
    interface Plans {
        RunPlan ofTurn(int turn) throws IOException;
    }

    /** One of several systems measured in turns; refuses loads with differing slices. */
    public static SlicedJob of(String name, Measurement value, String target, int turns, @Nullable QueueDemo demo) {
        Job whole = Job.of(value, target, ShardPart.WHOLE, demo);
        Refusal.when(
                !value.load().isSteady(),
                "slices must be alike: give a steady load (-R, --closed or --sessions) without a ramp, stages or a"
                        + " replay");
        return new SlicedJob(name, whole, turn -> whole.plan().slice(value.workload(turn), turns));
    }
}
