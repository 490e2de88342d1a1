/**
 * What did another tool write? Each format is recognised by its content and read in one pass and little memory. Files are
 * untrusted: an error is one line that names the place.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.audit.format;

import org.jspecify.annotations.NullMarked;
