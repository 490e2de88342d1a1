package dev.downbeat.jdbc;

import java.util.List;

/**
 * The statements of one request: a single one, which commits itself, or several in one transaction. Immutable.
 *
 * @param name its row in the result
 * @param weight its share of the requests, relative to the other weights
 */
record SqlTransaction(String name, int weight, List<SqlStatement> statements) {
    SqlTransaction {
        statements = List.copyOf(statements);
    }

    boolean isSingle() {
        return statements.size() == 1;
    }

    /** All parameters of all statements, in order. */
    List<String> parameters() {
        return statements.stream().flatMap(one -> one.parameters().stream()).toList();
    }
}
