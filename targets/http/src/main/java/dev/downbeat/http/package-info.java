/**
 * How do HTTP/1.1 and HTTP/2 requests get onto the wire, and when exactly? Plain {@code java.nio}: TCP, TLS and Unix
 * sockets. A connection carries one request at a time over HTTP/1.1, and one per stream over HTTP/2. Instants are taken
 * where bytes leave and arrive.
 *
 * <p>From the bottom up: {@code wait} for events, {@code tls}, {@code options}, {@code message} for the bytes of
 * requests and responses, {@code wire} for sockets and connections, {@code one} and {@code two} for the HTTP versions,
 * and here the target and its requests. {@code requests} reads request files and depends only on this package and
 * {@code message}.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http;

import org.jspecify.annotations.NullMarked;
