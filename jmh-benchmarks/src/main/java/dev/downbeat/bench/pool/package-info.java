/** How many connections does a client need, and what do too few or too many of them cost? */
@NullMarked
package dev.downbeat.bench.pool;

import org.jspecify.annotations.NullMarked;
