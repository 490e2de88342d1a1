/**
 * Which service is called, and how: addresses, proxy, HTTP versions, connections, streams, timeouts.
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.options;

import org.jspecify.annotations.NullMarked;
