package dev.downbeat.cli.meet;

import dev.downbeat.cli.console.StartCancelledException;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Tracks whether a meeting place answers its observer. A single failure is tolerated: a note may just have been
 * replaced, or a request lost. Not thread-safe.
 */
public final class Outage {
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(1);

    private OptionalLong answeredAt = OptionalLong.empty();
    private boolean lasts;

    public void answered(long now) {
        answeredAt = OptionalLong.of(now);
        lasts = false;
    }

    /**
     * A read has failed; returns whether it is the first in a row.
     *
     * @throws IOException the failure, if the place has never answered, has not for a minute, or rejects this plan
     */
    public boolean failed(IOException failure, long now) throws IOException {
        if (failure instanceof StartCancelledException
                || answeredAt.isEmpty()
                || now - answeredAt.getAsLong() > LONGEST_NANOS) {
            throw failure;
        }
        boolean isFirst = !lasts;
        lasts = true;
        return isFirst;
    }
}
