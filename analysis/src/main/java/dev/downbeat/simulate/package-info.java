/**
 * What would happen if? Model services and retrying callers in virtual time. The load, recorder, ledger and reports are those
 * of a real run.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.simulate;

import org.jspecify.annotations.NullMarked;
