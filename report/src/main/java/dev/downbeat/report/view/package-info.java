/**
 * How is each kind of result presented: which sections, tables and sentences?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view;

import org.jspecify.annotations.NullMarked;
