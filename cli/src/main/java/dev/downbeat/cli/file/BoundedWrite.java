package dev.downbeat.cli.file;

import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A write to an object store or a pipe, which may wait for ever: with a time limit that a signal ends, since a pod is
 * killed 30 s after its termination request.
 */
public final class BoundedWrite {
    private static final int LIMIT_SECONDS = 22;

    private static final Set<FutureTask<@Nullable Void>> CURRENT = ConcurrentHashMap.newKeySet();

    private BoundedWrite() {}

    /** Ends the running writes; returns whether there were any. Thread-safe. */
    public static boolean end() {
        boolean isAny = false;
        for (FutureTask<@Nullable Void> write : CURRENT) {
            isAny |= write.cancel(false);
        }
        return isAny;
    }

    interface Work {
        void run() throws IOException;
    }

    /**
     * Writes on a thread of its own, which is abandoned if it hangs.
     *
     * @param place the place and whose silence ends the write, as in {@code s3://a/b: no answer}
     * @throws IOException with the reason in one line
     */
    static void run(String place, Work work) throws IOException {
        FutureTask<@Nullable Void> write = new FutureTask<>(() -> {
            work.run();
            return null;
        });
        Thread thread = Daemon.of("downbeat-write", write);
        CURRENT.add(write);
        try {
            thread.start();
            write.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException refused
                    ? refused
                    : new IOException(place + ": " + failed.getCause(), failed);
        } catch (CancellationException signalled) {
            throw new IOException("ended by a signal", signalled);
        } catch (TimeoutException silent) {
            throw new IOException(place + " within " + LIMIT_SECONDS + " s", silent);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException(place + ": interrupted", ended);
        } finally {
            CURRENT.remove(write);
        }
    }
}
