/**
 * Do response times depend on the position of a request on its connection?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.position;

import org.jspecify.annotations.NullMarked;
