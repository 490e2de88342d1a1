/**
 * What are the values of variables in a request: data files, captures, random draws?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.requests.value;

import org.jspecify.annotations.NullMarked;
