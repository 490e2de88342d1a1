/**
 * How does it look? Pictures as SVG, readable without script and by a screen reader.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.chart;

import org.jspecify.annotations.NullMarked;
