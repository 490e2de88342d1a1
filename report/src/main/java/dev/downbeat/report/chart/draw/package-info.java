/**
 * How is anything drawn: boxes, paths, scales, colours, SVG?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.chart.draw;

import org.jspecify.annotations.NullMarked;
