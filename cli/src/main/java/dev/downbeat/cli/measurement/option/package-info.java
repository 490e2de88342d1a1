/**
 * How are options converted to records and back?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.cli.measurement.option;

import org.jspecify.annotations.NullMarked;
