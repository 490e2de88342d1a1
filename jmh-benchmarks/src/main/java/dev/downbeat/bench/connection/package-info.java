/** What does a new connection cost: its connect, its name lookup, and the kind of its socket? */
@NullMarked
package dev.downbeat.bench.connection;

import org.jspecify.annotations.NullMarked;
