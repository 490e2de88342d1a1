/**
 * Which requests does an access log contain, and when did they arrive?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.requests.log;

import org.jspecify.annotations.NullMarked;
