/**
 * What do the pages of a run show, in the terms of Gatling's users?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.report;

import org.jspecify.annotations.NullMarked;
