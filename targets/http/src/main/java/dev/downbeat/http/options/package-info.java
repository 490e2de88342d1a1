/**
 * Which service is asked, and how: addresses, proxy, versions of HTTP, connections, streams, timeouts.
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.options;

import org.jspecify.annotations.NullMarked;
