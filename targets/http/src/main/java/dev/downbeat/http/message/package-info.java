/**
 * What are the bytes of a request and of a response? Who writes a request into a buffer, and who reads a response?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.http.message;

import org.jspecify.annotations.NullMarked;
