/**
 * How is JSON read and written that is data? As a stream of values, or as a tree of them, from whoever may have written it.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.json;

import org.jspecify.annotations.NullMarked;
