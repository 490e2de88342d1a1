/**
 * How is a result saved and read back?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.file;

import org.jspecify.annotations.NullMarked;
