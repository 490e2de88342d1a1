/**
 * Which format is it written in? Text, HTML, Markdown, JSON, JUnit XML. None depends on the locale.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.paper;

import org.jspecify.annotations.NullMarked;
