/**
 * What is a target? Something that accepts an {@link dev.downbeat.exchange.Exchange} without blocking and reports its outcome
 * later.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.exchange;

import org.jspecify.annotations.NullMarked;
