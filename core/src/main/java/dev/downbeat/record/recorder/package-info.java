/**
 * How are requests counted as they end, without loss or allocation?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.record.recorder;

import org.jspecify.annotations.NullMarked;
