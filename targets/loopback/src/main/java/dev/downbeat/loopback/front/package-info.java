/**
 * What stands before another server and delays or closes what passes through it?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.loopback.front;

import org.jspecify.annotations.NullMarked;
