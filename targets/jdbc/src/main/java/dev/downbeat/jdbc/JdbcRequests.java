package dev.downbeat.jdbc;

import dev.downbeat.arrival.SplitMix64;
import dev.downbeat.jdbc.SqlScript.SqlTransaction;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The requests of a load: the kind of each index and its values. Immutable, thread-safe. */
final class JdbcRequests {
    private static final Object[] NOTHING = {};

    private final String place;
    private final SqlScript script;
    private final List<SqlTransaction> transactions;
    private final List<ParameterValues> values;
    private final JdbcOptions options;
    private final long seed;
    private final long[] weightsUpTo;

    /**
     * Creates the requests of a script.
     *
     * @param place the database, without secrets
     * @throws IllegalArgumentException if a statement writes and may not, or a parameter has no value
     */
    JdbcRequests(String place, SqlScript script, JdbcOptions options, ParameterValues.Factory source, long seed) {
        this.place = place;
        this.script = script;
        this.transactions = script.transactions();
        this.options = options;
        this.seed = seed;
        refuseWrites(script);
        this.values = new ArrayList<>();
        this.weightsUpTo = new long[transactions.size()];
        long sum = 0;
        for (int i = 0; i < transactions.size(); i++) {
            List<String> parameters = transactions.get(i).parameters();
            values.add(parameters.isEmpty() ? index -> NOTHING : counted(source.of(parameters), parameters));
            sum += transactions.get(i).weight();
            weightsUpTo[i] = sum;
        }
    }

    private void refuseWrites(SqlScript read) {
        if (!options.writes()) {
            read.firstWrite().ifPresent(sql -> {
                throw new IllegalArgumentException(
                        "this statement may change data: add --writes (API: writes()): " + brief(sql));
            });
        }
    }

    /** Checks the statements again, since a URL need not show the server's dialect; fails with one line. */
    void check(Dialect dialect) throws IOException {
        try {
            refuseWrites(script.in(dialect));
        } catch (IllegalArgumentException refused) {
            throw new IOException(place + ": " + refused.getMessage(), refused);
        }
    }

    private static String brief(String sql) {
        String line = sql.replaceAll("\\s+", " ");
        return line.length() <= 60 ? line : line.substring(0, 57) + "...";
    }

    String place() {
        return place;
    }

    JdbcOptions options() {
        return options;
    }

    List<SqlTransaction> transactions() {
        return transactions;
    }

    int kinds() {
        return transactions.size();
    }

    SqlTransaction transaction(int kind) {
        return transactions.get(kind);
    }

    boolean hasTransactions() {
        return transactions.stream().anyMatch(one -> !one.isSingle());
    }

    /** The kind of a request, drawn by weight; the same seed gives the same sequence. */
    int kind(long index) {
        if (weightsUpTo.length == 1) {
            return 0;
        }
        long drawn = Long.remainderUnsigned(
                SplitMix64.mix(seed + index * SplitMix64.STEP), weightsUpTo[weightsUpTo.length - 1]);
        int kind = 0;
        while (weightsUpTo[kind] <= drawn) {
            kind++;
        }
        return kind;
    }

    /** The values of a request; their number is checked. */
    Object[] values(int kind, long index) {
        return values.get(kind).of(index);
    }

    private static ParameterValues counted(ParameterValues all, List<String> parameters) {
        return index -> {
            Object[] found = all.of(index);
            if (found.length != parameters.size()) {
                throw new WrongValueCount(found.length, parameters);
            }
            return found;
        };
    }

    static final class WrongValueCount extends RuntimeException {
        private static final long serialVersionUID = 1;

        private WrongValueCount(int found, List<String> parameters) {
            super("values(...) gave " + found + ", but the parameters are "
                    + parameters.stream().map(name -> "{{" + name + "}}").collect(Collectors.joining(", ")));
        }
    }

    /** Why nothing can be measured: one line that names the remedy and no secrets. */
    String refusal(SQLException thrown) {
        return place + ": " + SqlFailures.refusal(thrown);
    }
}
