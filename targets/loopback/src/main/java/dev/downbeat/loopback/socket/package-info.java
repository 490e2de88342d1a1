/**
 * How does the server listen, accept bytes and wait for the instant at which an answer is due?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.loopback.socket;

import org.jspecify.annotations.NullMarked;
