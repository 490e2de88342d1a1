/** What does a command say on stdout and stderr, and what does it do at a signal? */
@NullMarked
package dev.downbeat.cli.console;

import org.jspecify.annotations.NullMarked;
