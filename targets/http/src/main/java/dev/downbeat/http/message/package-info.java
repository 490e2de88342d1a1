/**
 * What is a request, what are its bytes and those of a response, who writes and who reads them?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.message;

import org.jspecify.annotations.NullMarked;
