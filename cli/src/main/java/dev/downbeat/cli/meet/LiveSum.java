package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.run.Live;
import java.util.List;

/**
 * What shards add up to at this moment: counts are added, so percentiles are those of all requests.
 *
 * @param seen the sum
 * @param live the sum
 * @param elapsedNanos of the shard that is farthest
 */
public record LiveSum(Counted.Snapshot seen, Live live, long elapsedNanos) {
    static LiveSum of(List<Note.State> states) {
        LiveSum sum = new LiveSum(Counted.Snapshot.NOTHING, Live.NONE, Long.MIN_VALUE);
        for (Note.State state : states) {
            sum = new LiveSum(
                    sum.seen.plus(state.seen()),
                    sum.live.plus(state.live()),
                    Math.max(sum.elapsedNanos, state.elapsedNanos()));
        }
        return sum;
    }
}
