/**
 * What was planned, and what became of it?
 *
 * <p>Not promised: for Downbeat's own modules. What a simulation may depend on is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.ledger;

import org.jspecify.annotations.NullMarked;
