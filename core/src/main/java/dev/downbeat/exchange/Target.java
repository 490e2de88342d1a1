package dev.downbeat.exchange;

import dev.downbeat.time.NanoClock;
import java.io.IOException;

/**
 * A system under test. It opens one {@link Lane} for each generator thread, so that sending needs no lock and no
 * hand-over between threads.
 *
 * <p>Thread-safe: several generators open their lanes at the same time.
 */
public interface Target {
    /**
     * What is aimed at, in one line: {@code GET http://localhost:8080/orders}. A run shows it as {@link Redaction#line} would,
     * should it be a URL with secrets.
     */
    String describe();

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
