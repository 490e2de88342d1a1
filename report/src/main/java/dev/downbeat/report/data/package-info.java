/**
 * What does a report contain? One record per kind of result, with the numbers that all views share.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.data;

import org.jspecify.annotations.NullMarked;
