/**
 * Which varying requests are sent to an HTTP service? Sets of named requests with sessions, checks and captures.
 * Subpackages read request {@code file}s and access {@code log}s, fill in each {@code value}, and {@code check} each
 * response.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.requests;

import org.jspecify.annotations.NullMarked;
