/** How does the command line open each kind of target, and show what a target told? */
@NullMarked
package dev.downbeat.cli.targets;

import org.jspecify.annotations.NullMarked;
