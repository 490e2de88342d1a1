/**
 * How is a command run as a target?
 *
 * <p>Internal to Downbeat.
 */
@NullMarked
package dev.downbeat.cli.exec;

import org.jspecify.annotations.NullMarked;
