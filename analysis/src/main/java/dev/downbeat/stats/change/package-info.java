/**
 * Do two runs differ, and by how much?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.change;

import org.jspecify.annotations.NullMarked;
