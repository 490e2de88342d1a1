/**
 * How does a comparison of two runs, or of variants, read?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.compare;

import org.jspecify.annotations.NullMarked;
