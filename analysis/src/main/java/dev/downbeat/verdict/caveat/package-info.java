/**
 * What must a reader know before believing a result?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.verdict.caveat;

import org.jspecify.annotations.NullMarked;
