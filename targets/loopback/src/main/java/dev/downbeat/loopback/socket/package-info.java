/**
 * How does the server listen, accept bytes and wait for the instant at which an answer is due?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.loopback.socket;

import org.jspecify.annotations.NullMarked;
