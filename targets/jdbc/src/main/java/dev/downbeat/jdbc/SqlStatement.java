package dev.downbeat.jdbc;

import java.util.List;

/**
 * One statement with a {@code ?} for each parameter. Immutable.
 *
 * @param sql as the driver gets it
 * @param parameters what stood between the braces, in the order of the {@code ?}
 * @param writes whether its words say that it changes something
 */
record SqlStatement(String sql, List<String> parameters, boolean writes) {
    SqlStatement {
        parameters = List.copyOf(parameters);
    }
}
