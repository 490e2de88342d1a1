/**
 * What does another tool's result hide? The planned load, the stalls and bounds of the callers' waits are reconstructed
 * from it.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.audit;

import org.jspecify.annotations.NullMarked;
