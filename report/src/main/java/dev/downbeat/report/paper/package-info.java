/**
 * What is it written on? Lines of a screen, a page of HTML, JSON. None of them depends on the locale.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.paper;

import org.jspecify.annotations.NullMarked;
