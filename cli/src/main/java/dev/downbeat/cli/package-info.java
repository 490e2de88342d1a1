/** What did the user ask for, and how is it answered on a terminal, in files and in an exit code? */
@NullMarked
package dev.downbeat.cli;

import org.jspecify.annotations.NullMarked;
