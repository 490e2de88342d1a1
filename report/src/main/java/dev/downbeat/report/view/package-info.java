/**
 * What is shown of each kind of result, and in which words?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.view;

import org.jspecify.annotations.NullMarked;
