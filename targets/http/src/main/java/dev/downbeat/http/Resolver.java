package dev.downbeat.http;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Looks names up on a thread of its own, so that the schedule does not wait for a name server. Its thread is a daemon and
 * exists only while look-ups are asked for.
 */
final class Resolver implements AutoCloseable {
    private final Addresses addresses;
    private final Selector selector;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private @Nullable ExecutorService thread;

    /** What came of a look-up: addresses, or why there are none. */
    record Answer(
            HttpConnection connection,
            List<SocketAddress> found,
            @Nullable IOException failure) {}

    Resolver(Addresses addresses, Selector selector) {
        this.addresses = addresses;
        this.selector = selector;
    }

    /** Asks on behalf of a connection; the selector wakes up when the answer is there. */
    void ask(HttpConnection connection) {
        ExecutorService running = thread;
        if (running == null) {
            running = Executors.newSingleThreadExecutor(work -> {
                Thread daemon = new Thread(work, "downbeat-resolver");
                daemon.setDaemon(true);
                return daemon;
            });
            thread = running;
        }
        running.execute(() -> {
            answers.add(answer(connection));
            selector.wakeup();
        });
    }

    private Answer answer(HttpConnection connection) {
        try {
            return new Answer(connection, addresses.lookup(), null);
        } catch (IOException failed) {
            return new Answer(connection, List.of(), failed);
        }
    }

    /** Whether there is an answer to take. */
    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    /** The next answer, or null. */
    @Nullable
    Answer poll() {
        return answers.poll();
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
