package dev.downbeat.watch.database;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections to a database that is watched; they should give up on a server that does not answer within seconds. */
public interface DatabaseConnector {
    /** A new connection, which the watcher closes. */
    Connection open() throws SQLException;
}
