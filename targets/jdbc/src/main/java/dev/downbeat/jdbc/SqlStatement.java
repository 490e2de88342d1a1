package dev.downbeat.jdbc;

import java.util.List;

/**
 * One statement with a {@code ?} for each parameter. Immutable.
 *
 * @param sql text for the driver
 * @param parameters names between the braces, in the order of the {@code ?}
 * @param writes whether its keywords change data
 */
record SqlStatement(String sql, List<String> parameters, boolean writes) {
    SqlStatement {
        parameters = List.copyOf(parameters);
    }
}
