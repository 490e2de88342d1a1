/**
 * What is a target? It accepts an {@link dev.downbeat.exchange.Exchange} without blocking and reports its outcome
 * later.
 *
 * <p>Internal to Downbeat, except for {@link dev.downbeat.exchange.SystemUnderTest}.
 */
@NullMarked
package dev.downbeat.exchange;

import org.jspecify.annotations.NullMarked;
