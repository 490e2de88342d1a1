/** What is asked of a database, and what did it cost? */
@NullMarked
package dev.downbeat.cli.database;

import org.jspecify.annotations.NullMarked;
