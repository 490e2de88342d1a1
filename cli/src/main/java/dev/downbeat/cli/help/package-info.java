/** Where do the words of a command line come from, and how are they explained? */
@NullMarked
package dev.downbeat.cli.help;

import org.jspecify.annotations.NullMarked;
