/**
 * What would happen if? Services that exist on paper only, and callers that try again, in virtual time: the load, the
 * recorder, the ledger and the reports are those of a real run.
 */
@NullMarked
package dev.downbeat.simulate;

import org.jspecify.annotations.NullMarked;
