/**
 * What are the values of variables in a request: data files, captures, random values?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.requests.value;

import org.jspecify.annotations.NullMarked;
