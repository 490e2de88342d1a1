/**
 * How is the audit of another tool's results presented?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.audit;

import org.jspecify.annotations.NullMarked;
