package dev.downbeat.http.wire;

import dev.downbeat.time.Daemon;
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
 * Resolves names on a separate thread, so that the schedule never waits for a name server. Concurrent requests share a
 * lookup, because Java runs those of one name one after another. A slow lookup therefore delays all connections that
 * need one, which separate processes would not do to each other. The daemon thread is created on first use. Not
 * thread-safe: belongs to its lane's thread.
 */
final class Resolver implements AutoCloseable {
    private final AddressSource source;
    private final Selector selector;
    private final Queue<LookupResult> results = new ConcurrentLinkedQueue<>();
    private @Nullable ExecutorService thread;
    private @Nullable List<Consumer<@Nullable IOException>> waiting;

    /** The source of addresses; may block for long. */
    @FunctionalInterface
    interface AddressSource {
        List<SocketAddress> lookup() throws IOException;
    }

    /** The result of a lookup, addresses or an error, with the callbacks, which receive null on success. */
    record LookupResult(
            List<Consumer<@Nullable IOException>> waiting,
            List<SocketAddress> found,
            @Nullable IOException failure) {}

    Resolver(AddressSource source, Selector selector) {
        this.source = source;
        this.selector = selector;
    }

    /** Requests a lookup; the selector is woken when it is done. */
    void request(Consumer<@Nullable IOException> callback) {
        request().add(callback);
    }

    /** Starts a lookup unless one is pending; returns its list of callbacks. */
    List<Consumer<@Nullable IOException>> request() {
        List<Consumer<@Nullable IOException>> sharing = waiting;
        if (sharing != null && results.isEmpty()) { // a finished lookup is older than this request
            return sharing;
        }
        List<Consumer<@Nullable IOException>> fresh = new ArrayList<>();
        waiting = fresh;
        thread().execute(() -> {
            results.add(resolved(fresh));
            selector.wakeup();
        });
        return fresh;
    }

    private ExecutorService thread() {
        ExecutorService running = thread;
        if (running == null) {
            running = Executors.newSingleThreadExecutor(Daemon.factory("downbeat-resolver"));
            thread = running;
        }
        return running;
    }

    private LookupResult resolved(List<Consumer<@Nullable IOException>> callbacks) {
        try {
            return new LookupResult(callbacks, source.lookup(), null);
        } catch (IOException failed) {
            return new LookupResult(callbacks, List.of(), failed);
        } catch (RuntimeException | Error failed) {
            return new LookupResult(callbacks, List.of(), new IOException("name lookup failed: " + failed, failed));
        }
    }

    boolean hasResults() {
        return !results.isEmpty();
    }

    /** The next result, or null. No further callbacks can join it. */
    @Nullable
    LookupResult poll() {
        LookupResult result = results.poll();
        if (result != null && result.waiting() == waiting) {
            waiting = null;
        }
        return result;
    }

    @Override
    public void close() {
        if (thread != null) {
            thread.shutdownNow();
        }
    }
}
