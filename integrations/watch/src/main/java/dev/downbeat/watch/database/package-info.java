/**
 * What a database does while it is under load: connections, waits, locks and checkpoints.
 *
 * <p>Internal to Downbeat; the public API is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.watch.database;

import org.jspecify.annotations.NullMarked;
