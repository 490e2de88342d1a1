/**
 * Which primitives are charts drawn with? Boxes, paths, scales, colours and SVG.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.chart.draw;

import org.jspecify.annotations.NullMarked;
