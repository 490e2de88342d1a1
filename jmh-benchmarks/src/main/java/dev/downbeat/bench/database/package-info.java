/** What does a connection to a database cost, and what does a pool save of it? */
@NullMarked
package dev.downbeat.bench.database;

import org.jspecify.annotations.NullMarked;
