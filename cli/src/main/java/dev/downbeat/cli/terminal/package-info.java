/** What is the terminal we speak on, and how is it painted? */
@NullMarked
package dev.downbeat.cli.terminal;

import org.jspecify.annotations.NullMarked;
