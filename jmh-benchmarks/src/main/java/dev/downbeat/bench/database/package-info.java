/** What does a database connection cost, and what does a pool save? */
@NullMarked
package dev.downbeat.bench.database;

import org.jspecify.annotations.NullMarked;
