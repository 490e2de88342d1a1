/**
 * What is a system under test to us? Something that takes an {@link dev.downbeat.exchange.Exchange} without waiting and
 * says later how it ended.
 */
@NullMarked
package dev.downbeat.exchange;

import org.jspecify.annotations.NullMarked;
