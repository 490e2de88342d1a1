/**
 * How are records converted to trees of names and values, and back?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.file.tree;

import org.jspecify.annotations.NullMarked;
