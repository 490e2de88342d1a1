/** What does the terminal support, and how is it repainted? */
@NullMarked
package dev.downbeat.cli.terminal;

import org.jspecify.annotations.NullMarked;
