package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.StartCancelledException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Whether a meeting place answers whoever watches it. One failed look says little, such as that a note was just
 * replaced or a request was lost: shards go on meanwhile. Not thread-safe.
 */
public final class Outage {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private OptionalLong answeredAt = OptionalLong.empty();
    private boolean lasts;

    /** The place has answered. */
    public void ends(long now) {
        answeredAt = OptionalLong.of(now);
        lasts = false;
    }

    /**
     * A look has failed; returns whether it is the first in a row.
     *
     * @throws IOException the failure, if the place has never answered, has not for a minute, or rejects this plan
     */
    public boolean begins(IOException failed, long now) throws IOException {
        if (failed instanceof StartCancelledException
                || answeredAt.isEmpty()
                || now - answeredAt.getAsLong() > LONGEST_NANOS) {
            throw failed;
        }
        boolean isFirst = !lasts;
        lasts = true;
        return isFirst;
    }
}
