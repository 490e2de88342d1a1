/**
 * How do requests of HTTP/1.1 and HTTP/2 get onto a wire, and when exactly? Plain {@code java.nio}: TCP, TLS and Unix sockets.
 * A connection carries one request at a time over HTTP/1.1 and one a stream over HTTP/2. Instants are taken where bytes leave
 * and arrive.
 *
 * <p>From the ground up: {@code wait} for what comes, {@code tls}, {@code options}, {@code message} for bytes of requests and
 * responses, {@code wire} for sockets and connections, {@code one} and {@code two} for the versions of HTTP, and here the target
 * and its requests. {@code requests} reads files of requests and knows only what is here and {@code message}.
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http;

import org.jspecify.annotations.NullMarked;
