/**
 * How is a page written as text, HTML, Markdown, JSON or JUnit XML? No format depends on the locale.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.render;

import org.jspecify.annotations.NullMarked;
