/**
 * How are requests sent over Downbeat's own connections?
 *
 * <p>Internal to Downbeat and not part of the stable API, which is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.request;

import org.jspecify.annotations.NullMarked;
