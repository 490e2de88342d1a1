/**
 * How are requests sent over Downbeat's own connections?
 *
 * <p>Not promised: for Downbeat's own modules. What a simulation may depend on is {@code dev.downbeat.gatling}.
 */
@NullMarked
package dev.downbeat.gatling.request;

import org.jspecify.annotations.NullMarked;
