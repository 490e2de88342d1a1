/**
 * How punctual were this process and its machine?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.selfcheck;

import org.jspecify.annotations.NullMarked;
