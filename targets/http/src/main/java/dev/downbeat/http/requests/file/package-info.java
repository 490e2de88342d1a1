/**
 * Which requests are in the files and command lines of other tools ({@code .http}, curl, HAR)?
 *
 * <p>Internal to Downbeat and not part of the stable API.
 */
@NullMarked
package dev.downbeat.http.requests.file;

import org.jspecify.annotations.NullMarked;
