/**
 * How is a history of builds presented?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.history;

import org.jspecify.annotations.NullMarked;
