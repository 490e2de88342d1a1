/**
 * How do requests of HTTP/1.1 and HTTP/2 get onto a wire, and when exactly? Plain {@code java.nio}: TCP, TLS and Unix sockets, one
 * request in flight per connection, and the instants taken where the bytes leave and arrive.
 */
@NullMarked
package dev.downbeat.http;

import org.jspecify.annotations.NullMarked;
