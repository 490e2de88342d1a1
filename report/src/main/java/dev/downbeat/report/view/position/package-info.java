/**
 * How are response times by position on the connection presented?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view.position;

import org.jspecify.annotations.NullMarked;
