/**
 * What do the pages of a run show, in the words of Gatling's users?
 *
 * <p>Not promised: for Downbeat's own modules. What a simulation may depend on is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.report;

import org.jspecify.annotations.NullMarked;
