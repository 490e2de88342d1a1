/**
 * What must a response be, and what is captured of it?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.requests.check;

import org.jspecify.annotations.NullMarked;
