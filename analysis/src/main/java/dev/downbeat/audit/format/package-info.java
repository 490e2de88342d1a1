/**
 * How is another tool's output read? Formats are recognised by content and read in one pass with little memory. Files are
 * untrusted: an error is one line that names the position.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.audit.format;

import org.jspecify.annotations.NullMarked;
