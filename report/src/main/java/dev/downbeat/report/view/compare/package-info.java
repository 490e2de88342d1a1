/**
 * How is a comparison of two runs, or of variants, presented?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.compare;

import org.jspecify.annotations.NullMarked;
