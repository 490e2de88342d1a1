/**
 * Which requests does an access log hold, and when did they come?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.requests.log;

import org.jspecify.annotations.NullMarked;
