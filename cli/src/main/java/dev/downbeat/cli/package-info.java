/** The command line's entry point. Each package below answers one question; all are internal to Downbeat. */
@NullMarked
package dev.downbeat.cli;

import org.jspecify.annotations.NullMarked;
