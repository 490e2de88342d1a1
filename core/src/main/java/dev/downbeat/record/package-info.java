/** What happened? Counted without loss: distributions that can be added but never averaged, and the ledger. */
@NullMarked
package dev.downbeat.record;

import org.jspecify.annotations.NullMarked;
