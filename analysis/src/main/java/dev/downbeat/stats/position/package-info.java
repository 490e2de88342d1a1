/**
 * Do response times depend on the position of a request on its connection?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.stats.position;

import org.jspecify.annotations.NullMarked;
