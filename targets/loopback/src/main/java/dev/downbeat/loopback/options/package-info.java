/**
 * How does the server behave: delays, stalls, misbehaviour, connections?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.loopback.options;

import org.jspecify.annotations.NullMarked;
