/**
 * What is a target? It accepts an {@link dev.downbeat.exchange.Exchange} without blocking and reports its outcome
 * later.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.exchange;

import org.jspecify.annotations.NullMarked;
