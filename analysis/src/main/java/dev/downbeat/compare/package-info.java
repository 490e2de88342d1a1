/**
 * Which of two systems is faster, and which build changed the times? Runs that are not comparable are refused with a
 * reason.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.compare;

import org.jspecify.annotations.NullMarked;
