/**
 * What goes over the wire in HTTP/2 (RFC 9113) and how its header fields are packed (RFC 7541): bytes in, bytes out, for both
 * sides, without sockets, clocks or threads. For Downbeat's own modules: nobody else is promised anything here.
 */
@org.jspecify.annotations.NullMarked
package dev.downbeat.h2;
