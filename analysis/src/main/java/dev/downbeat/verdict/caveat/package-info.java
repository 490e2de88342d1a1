/**
 * What must a reader know before believing a result?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.verdict.caveat;

import org.jspecify.annotations.NullMarked;
