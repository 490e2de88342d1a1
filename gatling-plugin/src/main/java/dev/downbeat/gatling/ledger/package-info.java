/**
 * What was planned, and what was its fate?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.ledger;

import org.jspecify.annotations.NullMarked;
