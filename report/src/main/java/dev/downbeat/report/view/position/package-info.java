/**
 * How do response times read by position on the connection?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.position;

import org.jspecify.annotations.NullMarked;
