package dev.downbeat.cli.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** An upload with a time limit that a signal aborts, since a pod is killed 30 s after its termination request. */
public final class Upload {
    private static final int LIMIT_SECONDS = 22;

    private static volatile @Nullable CompletableFuture<@Nullable Void> current;

    private Upload() {}

    /** Aborts the running upload; returns whether there was one. Thread-safe. */
    public static boolean end() {
        CompletableFuture<@Nullable Void> upload = current;
        return upload != null && upload.completeExceptionally(new IOException("ended by a signal"));
    }

    /**
     * Uploads a file on its own thread, which is abandoned if it hangs.
     *
     * @throws IOException with the reason in one line
     */
    static void put(String object, Path file) throws IOException {
        CompletableFuture<@Nullable Void> upload = new CompletableFuture<>();
        Thread thread = new Thread(() -> put(object, file, upload), "downbeat-upload");
        thread.setDaemon(true);
        current = upload;
        try {
            thread.start();
            upload.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof IOException refused
                    ? refused
                    : new IOException(object + ": " + failed.getCause(), failed);
        } catch (TimeoutException silent) {
            throw new IOException(object + ": no answer within " + LIMIT_SECONDS + " s", silent);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new IOException(object + ": interrupted", ended);
        } finally {
            current = null;
        }
    }

    @SuppressWarnings("IllegalCatch") // pass any failure to the waiting thread
    private static void put(String object, Path file, CompletableFuture<@Nullable Void> upload) {
        try {
            ObjectStore.put(object, file);
            upload.complete(null);
        } catch (IOException | RuntimeException | Error failed) {
            upload.completeExceptionally(failed);
        }
    }
}
