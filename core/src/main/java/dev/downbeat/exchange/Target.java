package dev.downbeat.exchange;

import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.List;

/**
 * A system under test. It opens one {@link Lane} for each generator thread, so that sending needs no lock and no
 * hand-over between threads.
 *
 * <p>Thread-safe: several generators open their lanes at the same time.
 */
public interface Target extends SystemUnderTest {
    /**
     * What is aimed at, in one line: {@code GET http://localhost:8080/orders}. A run shows it as {@link Redaction#line} would,
     * should it be a URL with secrets.
     */
    String describe();

    /**
     * The names of the requests that it sends, at most 1,000: each is counted on its own beside the whole. None, if all its
     * requests are alike.
     */
    default List<String> names() {
        return List.of();
    }

    /**
     * Which of its names a request has, from 0. A pure function of the request's index, session and step, so that a request
     * which is never sent has its name too. Called by any thread.
     */
    default int nameOf(Exchange exchange) {
        return 0;
    }

    /**
     * For how long, in nanoseconds, a request may be out because there is nothing to answer with, as a poll waits for a message:
     * that nothing comes for so long is no stall. 0 if each request is answered at once.
     */
    default long longestIdleNanos() {
        return 0;
    }

    /**
     * Opens the way of one generator, connections included where the target opens them beforehand.
     *
     * @param share which of the generators, from 0, counted over all processes that run a plan together
     * @param shares how many generators there are in all of these; a limit such as a number of connections is divided among them
     * @param clock the run's clock; all instants written to exchanges are its readings
     * @param listener told about each end, on the thread that polls the lane
     * @throws IOException if nothing could be measured, such as when nobody listens; its message is one clear line.
     *     Also if the thread is interrupted meanwhile.
     */
    Lane open(int share, int shares, NanoClock clock, Exchange.Listener listener) throws IOException;
}
