/**
 * What is a run, before and after? Its plan and load, and what came of it, also as the sum of shards. The rooms inside are
 * {@code agenda} and {@code engine}.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.run;

import org.jspecify.annotations.NullMarked;
