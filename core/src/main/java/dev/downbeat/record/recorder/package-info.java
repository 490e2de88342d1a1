/**
 * Who counts while requests end, without loss and without allocating?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.record.recorder;

import org.jspecify.annotations.NullMarked;
