/**
 * Which JSON does each kind of result have?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.schema;

import org.jspecify.annotations.NullMarked;
