/**
 * What happened? The ledger, and lossless distributions, which can be added but never averaged.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.record;

import org.jspecify.annotations.NullMarked;
