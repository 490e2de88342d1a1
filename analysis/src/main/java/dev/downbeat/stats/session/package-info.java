/**
 * How long does a chain of requests take, such as one page of a user?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.session;

import org.jspecify.annotations.NullMarked;
