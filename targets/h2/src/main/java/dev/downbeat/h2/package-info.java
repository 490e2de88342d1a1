/**
 * Which bytes are frames of HTTP/2 (RFC 9113), and which are encoded header fields (RFC 7541)? Bytes in, bytes out, for
 * both sides, without sockets, clocks or threads.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@org.jspecify.annotations.NullMarked
package dev.downbeat.h2;
