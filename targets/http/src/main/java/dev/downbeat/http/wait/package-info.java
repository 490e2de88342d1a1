/**
 * How does a thread wait for its sockets: by blocking or by spinning, and until when exactly?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.wait;

import org.jspecify.annotations.NullMarked;
