/**
 * What is a system under test to us? Something that takes an {@link dev.downbeat.exchange.Exchange} without waiting and
 * says later how it ended.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.exchange;

import org.jspecify.annotations.NullMarked;
