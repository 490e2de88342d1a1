/**
 * How does HTTP/1.1 go over a connection: one request at a time?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.one;

import org.jspecify.annotations.NullMarked;
