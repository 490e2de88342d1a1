/**
 * How does the server behave: delays, stalls, misbehaviour, connections?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.loopback.options;

import org.jspecify.annotations.NullMarked;
