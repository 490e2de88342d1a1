/**
 * Values of options, as users type them.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.cli.measurement.value;

import org.jspecify.annotations.NullMarked;
