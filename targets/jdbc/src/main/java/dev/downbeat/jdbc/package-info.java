/**
 * How long do database statements, transactions and new connections take, from the intended time? Requests go through
 * JDBC, by a driver or by a team's {@link javax.sql.DataSource}. Internal to Downbeat, except for {@link
 * dev.downbeat.jdbc.Jdbc}.
 */
@NullMarked
package dev.downbeat.jdbc;

import org.jspecify.annotations.NullMarked;
