/**
 * What were the response times at least and at most, and how certain is that?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.verdict.bound;

import org.jspecify.annotations.NullMarked;
