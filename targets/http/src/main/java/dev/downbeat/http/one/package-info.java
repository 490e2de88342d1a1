/**
 * How does HTTP/1.1 use a connection, with one request at a time?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.one;

import org.jspecify.annotations.NullMarked;
