/**
 * How does a thread wait for its sockets: by blocking, by spinning, and until when exactly?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.wait;

import org.jspecify.annotations.NullMarked;
