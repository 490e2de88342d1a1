/** What does a command write to stdout and stderr, and how does it react to signals? */
@NullMarked
package dev.downbeat.cli.console;

import org.jspecify.annotations.NullMarked;
