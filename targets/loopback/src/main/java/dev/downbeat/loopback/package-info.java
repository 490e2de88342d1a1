/**
 * What can we aim at? A server of HTTP/1.1 and HTTP/2 on this machine that answers late, stalls, closes and breaks on demand, so
 * that a measurement can be held against what is known to have happened.
 *
 * <p>From the ground up: {@code options}, {@code socket}, {@code front}, and here the server and its connections.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.loopback;

import org.jspecify.annotations.NullMarked;
