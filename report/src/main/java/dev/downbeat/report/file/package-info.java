/**
 * How is a result kept and read again?
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.report.file;

import org.jspecify.annotations.NullMarked;
