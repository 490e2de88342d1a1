/**
 * What are the bytes of a request and of a response, who writes and who reads them?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.message;

import org.jspecify.annotations.NullMarked;
