package dev.downbeat.http.wire;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks names up on a thread of its own, so that the schedule does not wait for a name server. All who wait at the same
 * time share one look-up. Its thread is a daemon and exists only once a look-up was asked for. Not thread-safe: belongs
 * to its lane's thread.
 */
final class Resolver implements AutoCloseable {
    private final Source source;
    private final Selector selector;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private @Nullable ExecutorService thread;
    private @Nullable List<Consumer<@Nullable IOException>> waiting;

    /** Where addresses come from; asking may take long. */
    @FunctionalInterface
    interface Source {
        List<SocketAddress> lookup() throws IOException;
    }

    /** What came of a look-up, addresses or why there are none, and who is to be told, with null if there are some. */
    record Answer(
            List<Consumer<@Nullable IOException>> waiting,
            List<SocketAddress> found,
            @Nullable IOException failure) {}

    Resolver(Source source, Selector selector) {
        this.source = source;
        this.selector = selector;
    }

    /** Asks on behalf of one who wants to be told; the selector wakes up when the answer is there. */
    void ask(Consumer<@Nullable IOException> asker) {
        ask().add(asker);
    }

    /** Asks, unless an answer is awaited already; returns those who wait for it. */
    List<Consumer<@Nullable IOException>> ask() {
        List<Consumer<@Nullable IOException>> sharing = waiting;
        if (sharing != null && answers.isEmpty()) { // an answer that is there is older than the question
            return sharing;
        }
        List<Consumer<@Nullable IOException>> fresh = new ArrayList<>();
        waiting = fresh;
        thread().execute(() -> {
            answers.add(answer(fresh));
            selector.wakeup();
        });
        return fresh;
    }

    private ExecutorService thread() {
        ExecutorService running = thread;
        if (running == null) {
            running = Executors.newSingleThreadExecutor(work -> {
                Thread daemon = new Thread(work, "downbeat-resolver");
                daemon.setDaemon(true);
                return daemon;
            });
            thread = running;
        }
        return running;
    }

    private Answer answer(List<Consumer<@Nullable IOException>> asking) {
        try {
            return new Answer(asking, source.lookup(), null);
        } catch (IOException failed) {
            return new Answer(asking, List.of(), failed);
        } catch (RuntimeException failed) {
            return new Answer(asking, List.of(), new IOException("name look-up failed: " + failed, failed));
        }
    }

    /** Whether there is an answer to take. */
    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    /** The next answer, or null. Nobody joins those who waited for it any more. */
    @Nullable
    Answer poll() {
        Answer answer = answers.poll();
        if (answer != null && answer.waiting() == waiting) {
            waiting = null;
        }
        return answer;
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
