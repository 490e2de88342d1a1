/**
 * What is measured between the begin and the end of one of JMH's iterations?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.jmh}.
 */
@NullMarked
package dev.downbeat.jmh.iteration;

import org.jspecify.annotations.NullMarked;
