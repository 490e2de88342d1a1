/**
 * How is a search for capacity presented?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.sweep;

import org.jspecify.annotations.NullMarked;
