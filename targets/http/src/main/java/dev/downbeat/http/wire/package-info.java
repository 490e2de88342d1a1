/**
 * How does a connection open, carry bytes and end? Sockets, look-ups, proxies, handshakes, and what a lane counts of them.
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.wire;

import org.jspecify.annotations.NullMarked;
