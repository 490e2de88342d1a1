/**
 * Which of two systems is faster, and since which build of one? Runs beside runs, with the reasons why some cannot be compared.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.compare;

import org.jspecify.annotations.NullMarked;
