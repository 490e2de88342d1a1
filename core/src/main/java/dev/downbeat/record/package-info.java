/**
 * What happened? The ledger, and lossless distributions that can be added but never averaged.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.record;

import org.jspecify.annotations.NullMarked;
