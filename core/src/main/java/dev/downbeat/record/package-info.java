/**
 * What happened? Counted without loss: distributions that can be added but never averaged, and the ledger. {@code recorder} is
 * who counts.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.record;

import org.jspecify.annotations.NullMarked;
