/**
 * What is known? Results of each kind, with the numbers that every view shares.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.data;

import org.jspecify.annotations.NullMarked;
