/**
 * How late were this process and its machine?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.selfcheck;

import org.jspecify.annotations.NullMarked;
