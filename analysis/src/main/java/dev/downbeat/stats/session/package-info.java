/**
 * How long does a chain of requests take, such as one page of a user?
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.session;

import org.jspecify.annotations.NullMarked;
