/** How is a measurement run, from the warm-up to the exit code? */
@NullMarked
package dev.downbeat.cli.job;

import org.jspecify.annotations.NullMarked;
