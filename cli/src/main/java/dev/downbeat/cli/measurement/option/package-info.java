/**
 * Records as options: from words to values and back.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.cli.measurement.option;

import org.jspecify.annotations.NullMarked;
