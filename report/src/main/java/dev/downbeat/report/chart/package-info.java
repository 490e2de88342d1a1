/**
 * Which charts does a report have? SVG that works without scripts and with a screen reader.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.chart;

import org.jspecify.annotations.NullMarked;
