package dev.downbeat.exchange;

import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;

/**
 * A system under test. It opens one {@link Lane} per generator thread, so sending needs neither locks nor thread
 * hand-offs.
 *
 * <p>Thread-safe: several generators may open lanes concurrently.
 */
public interface Target extends MeasuredSystem {
    /**
     * A one-line description: {@code GET http://localhost:8080/orders}. It is displayed through {@link Redaction#line},
     * in case it is a URL with secrets.
     */
    String describe();

    /**
     * The names of its requests, at most 1,000. Each is counted separately in addition to the total. Empty if all
     * requests are alike.
     */
    default List<String> names() {
        return List.of();
    }

    /**
     * The index of a request's name, from 0. A pure function of the request's index, session and step, so even an
     * unsent request has a name. Called by any thread.
     */
    default int nameOf(Exchange exchange) {
        return 0;
    }

    /**
     * The maximum time, in nanoseconds, that a request may be in flight because there is nothing to answer, such as a
     * poll that waits for a message. Silence up to this length is not a stall. 0 if every request is answered at once.
     */
    default long longestIdleNanos() {
        return 0;
    }

    /** The number of connections opened before the first request, over all processes of a sharded plan; 0 if it is unknown. */
    default long preconnects() {
        return 0;
    }

    /**
     * Opens one generator's lane, including its connections if the target opens them in advance.
     *
     * @param share index of the generator, from 0, over all processes of a sharded plan
     * @param shares total number of generators in these processes; limits such as connections are divided among them
     * @param clock the run's clock, used for all instants in exchanges
     * @param listener notified of each end, on the thread that polls the lane
     * @throws IOException if no measurement is possible, such as when nothing listens; the message is one clear line.
     *     Also if the thread is interrupted.
     */
    Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException;

    /** A generator's part of a limit, with arguments as for {@link #open}; fails if there is less than one for each. */
    static int share(String resource, int all, int share, int shares) throws IOException {
        if (all < shares) {
            throw new IOException(
                    shares + " generators need at least " + shares + " " + resource + " (given: " + all + ")");
        }
        return (all - share + shares - 1) / shares;
    }

    /** A target that delegates to another by default. Thread-safe if both are. */
    interface Wrapper extends Target {
        Target target();

        @Override
        default String describe() {
            return target().describe();
        }

        @Override
        default List<String> names() {
            return target().names();
        }

        @Override
        default int nameOf(Exchange exchange) {
            return target().nameOf(exchange);
        }

        @Override
        default long longestIdleNanos() {
            return target().longestIdleNanos();
        }

        @Override
        default long preconnects() {
            return target().preconnects();
        }

        @Override
        default Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException {
            return target().open(share, shares, clock, listener);
        }
    }
}
