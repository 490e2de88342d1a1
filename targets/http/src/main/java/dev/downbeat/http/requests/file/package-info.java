/**
 * Which requests do files and command lines of other tools hold: {@code .http}, curl, HAR, vegeta?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.requests.file;

import org.jspecify.annotations.NullMarked;
