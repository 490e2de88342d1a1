/**
 * How is a comparison of two runs, of variants, or of many builds, presented?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.compare;

import org.jspecify.annotations.NullMarked;
