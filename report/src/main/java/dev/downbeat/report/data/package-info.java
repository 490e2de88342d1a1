/**
 * What is known? Results of each kind, and the numbers and facts that every view takes from them.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.data;

import org.jspecify.annotations.NullMarked;
