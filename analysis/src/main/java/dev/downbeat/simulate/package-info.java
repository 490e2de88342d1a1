/**
 * What would happen if? Services that exist on paper only, and callers that try again, in virtual time: the load, the
 * recorder, the ledger and the reports are those of a real run.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.simulate;

import org.jspecify.annotations.NullMarked;
