/** Where do options and their defaults come from, and how is the help written? */
@NullMarked
package dev.downbeat.cli.help;

import org.jspecify.annotations.NullMarked;
