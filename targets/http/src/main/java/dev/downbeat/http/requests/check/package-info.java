/**
 * What must a response satisfy, and what is captured from it?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.requests.check;

import org.jspecify.annotations.NullMarked;
