/**
 * How is JSON read and written? As a stream or a tree, including untrusted input.
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.json;

import org.jspecify.annotations.NullMarked;
