/**
 * A target with known behaviour: an HTTP/1.1 and HTTP/2 server on this machine that delays, stalls, closes and
 * misbehaves on demand. Measurements can thus be checked against what is known to have happened.
 *
 * <p>From the bottom up: {@code options}, {@code socket}, {@code proxy}, and here the server and its connections.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.loopback;

import org.jspecify.annotations.NullMarked;
