/**
 * How does a connection open, carry bytes and end? Sockets, lookups, proxies, handshakes, and a lane's counts of them.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.wire;

import org.jspecify.annotations.NullMarked;
