/**
 * How are the values of options parsed and written, and records of them converted?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.cli.measurement.option;

import org.jspecify.annotations.NullMarked;
