package dev.downbeat.jdbc;

import java.util.List;

/**
 * What one request runs: a single statement, which commits by itself, or several in one transaction. Immutable.
 *
 * @param name its row in the result
 * @param weight its share of the requests, among the weights of all
 */
record SqlTransaction(String name, int weight, List<SqlStatement> statements) {
    SqlTransaction {
        statements = List.copyOf(statements);
    }

    boolean isSingle() {
        return statements.size() == 1;
    }

    /** All parameters of all its statements, in order. */
    List<String> parameters() {
        return statements.stream().flatMap(one -> one.parameters().stream()).toList();
    }
}
