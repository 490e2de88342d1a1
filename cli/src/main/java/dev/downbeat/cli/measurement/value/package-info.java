/**
 * How are the values of options parsed and written?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.cli.measurement.value;

import org.jspecify.annotations.NullMarked;
