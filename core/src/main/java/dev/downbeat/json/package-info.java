/**
 * How is JSON read and written? As a stream of values or as a tree, from untrusted sources too.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.json;

import org.jspecify.annotations.NullMarked;
