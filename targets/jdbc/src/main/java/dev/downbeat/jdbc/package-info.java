/**
 * What do a statement, a transaction and a new connection of a database cost, from the intended time? Requests through
 * JDBC: with a driver of its own, or with a team's {@link javax.sql.DataSource}. Not promised.
 */
@NullMarked
package dev.downbeat.jdbc;

import org.jspecify.annotations.NullMarked;
