/**
 * How is a command run as a target?
 *
 * <p>Not promised: for Downbeat's own modules.
 */
@NullMarked
package dev.downbeat.cli.exec;

import org.jspecify.annotations.NullMarked;
