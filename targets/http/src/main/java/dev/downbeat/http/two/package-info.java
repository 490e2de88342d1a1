/**
 * How does HTTP/2 go over connections: which connection has a stream for a request, and who is told what came?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.two;

import org.jspecify.annotations.NullMarked;
