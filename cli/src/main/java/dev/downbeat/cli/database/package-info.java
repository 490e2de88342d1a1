/** How is a database loaded, and what did its requests spend their time on? */
@NullMarked
package dev.downbeat.cli.database;

import org.jspecify.annotations.NullMarked;
