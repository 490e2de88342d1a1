package dev.downbeat.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** A schema created for one load. Used by one thread at a time. */
final class OwnSchema {
    private final ConnectionSource.OfDriver source;
    private final String name;
    private final List<String> creation;
    private volatile boolean isThere;

    private OwnSchema(ConnectionSource.OfDriver source, String name, List<String> creation) {
        this.source = source;
        this.name = name;
        this.creation = creation;
    }

    /**
     * The schema of a script; nothing is created yet.
     *
     * @throws IllegalArgumentException if the script creates nothing
     */
    static OwnSchema of(ConnectionSource.OfDriver source, SqlScript script) {
        if (script.creation().isEmpty()) {
            throw new IllegalArgumentException(
                    "--create has nothing to create: put '-- create' on a line of --sql, and 'create table ...;' below it");
        }
        String name = "downbeat_" + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "_"
                + Integer.toHexString(System.identityHashCode(script) & 0xffff);
        return new OwnSchema(source, name, script.creation());
    }

    String name() {
        return name;
    }

    boolean isThere() {
        return isThere;
    }

    void create() throws SQLException {
        try (Connection connection = source.open();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema " + name);
            isThere = true;
        }
        try (Connection connection = source.in(name).open();
                Statement statement = connection.createStatement()) {
            for (String one : creation) {
                statement.execute(one);
            }
        }
    }

    void drop() throws SQLException {
        if (isThere) {
            try (Connection connection = source.open();
                    Statement statement = connection.createStatement()) {
                statement.execute("drop schema " + name + (source.url().isMariadb() ? "" : " cascade"));
                isThere = false;
            }
        }
    }
}
