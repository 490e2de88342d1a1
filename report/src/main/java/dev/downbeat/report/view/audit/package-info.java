/**
 * How does the audit of another tool's results read?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.audit;

import org.jspecify.annotations.NullMarked;
