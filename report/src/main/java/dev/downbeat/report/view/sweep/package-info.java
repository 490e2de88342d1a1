/**
 * How does a search for capacity read?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.sweep;

import org.jspecify.annotations.NullMarked;
