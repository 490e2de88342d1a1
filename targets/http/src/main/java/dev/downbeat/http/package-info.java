/**
 * How do HTTP/1.1 and HTTP/2 requests get onto the wire, and when exactly? Plain {@code java.nio}: TCP, TLS and Unix
 * sockets. A connection carries one request at a time over HTTP/1.1, and one per stream over HTTP/2. Instants are taken
 * where bytes leave and arrive.
 *
 * <p>From the bottom up: {@code wait} for events, {@code tls}, {@code options}, {@code message} for requests, responses
 * and their bytes, {@code wire} for sockets and connections, {@code one} and {@code two} for the HTTP versions, and
 * {@code requests} for request files. On top of all, here, the target.
 *
 * <p>Internal to Downbeat, except for {@link dev.downbeat.http.Http}.
 */
@NullMarked
package dev.downbeat.http;

import org.jspecify.annotations.NullMarked;
