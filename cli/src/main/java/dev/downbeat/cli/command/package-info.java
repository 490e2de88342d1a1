/** What does each command do? */
@NullMarked
package dev.downbeat.cli.command;

import org.jspecify.annotations.NullMarked;
