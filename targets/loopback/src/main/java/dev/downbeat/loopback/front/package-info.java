/**
 * What stands before another server and delays or closes what passes through it?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.loopback.front;

import org.jspecify.annotations.NullMarked;
