/**
 * How would a modelled service behave? Services and retrying callers are simulated in virtual time. The load, recorder,
 * ledger and reports are those of a real run.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.simulate;

import org.jspecify.annotations.NullMarked;
