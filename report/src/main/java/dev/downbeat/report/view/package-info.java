/**
 * What does a result of each kind show, and in which words?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view;

import org.jspecify.annotations.NullMarked;
