/**
 * How does the history of a build read?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.history;

import org.jspecify.annotations.NullMarked;
