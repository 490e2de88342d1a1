/** What is another tool's command line in our words? */
@NullMarked
package dev.downbeat.cli.foreign;

import org.jspecify.annotations.NullMarked;
