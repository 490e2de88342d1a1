/** What is it written on? Lines of a screen, a page of HTML, JSON. None of them depends on the locale. */
@NullMarked
package dev.downbeat.report.paper;

import org.jspecify.annotations.NullMarked;
