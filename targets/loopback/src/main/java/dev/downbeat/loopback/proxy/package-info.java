/**
 * How can a reverse proxy delay and close the connections to another server?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.loopback.proxy;

import org.jspecify.annotations.NullMarked;
