/**
 * What a database does while it is under load: connections, waits, locks and checkpoints.
 *
 * <p>Not promised: for Downbeat's own modules. What a team may depend on is {@code dev.downbeat.load}.
 */
@NullMarked
package dev.downbeat.watch.database;

import org.jspecify.annotations.NullMarked;
