/**
 * What are the lower and upper bounds of the response times, and how certain are they?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.verdict.bound;

import org.jspecify.annotations.NullMarked;
