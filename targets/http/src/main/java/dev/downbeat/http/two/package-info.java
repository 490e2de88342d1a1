/**
 * How does HTTP/2 use connections: which one has a stream for a request, and who receives the response?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.two;

import org.jspecify.annotations.NullMarked;
