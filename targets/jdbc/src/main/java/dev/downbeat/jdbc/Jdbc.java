package dev.downbeat.jdbc;

import dev.downbeat.exchange.MeasuredSystem;
import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.exchange.Target;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import javax.sql.DataSource;

/**
 * Puts load on a {@link DataSource}, such as a service's connection pool with its own settings.
 *
 * <pre>{@code
 * Load.perSecond(500).run(Jdbc.of(dataSource)
 *         .values(index -> new Object[] {index % 1000})
 *         .sql("select * from orders where id = {{id}}"));
 * }</pre>
 *
 * <p>Immutable: each setter returns a new object. Thread-safe, if the source is. A null argument throws a
 * {@link NullPointerException}.
 */
public final class Jdbc {
    private static final int CALLERS = 64;
    private static final int MOST_CALLERS = 65_535;

    private final DataSource source;
    private final JdbcOptions options;
    private final OptionalInt callers;
    private final ParameterValues.Factory values;

    private Jdbc(DataSource source, JdbcOptions options, OptionalInt callers, ParameterValues.Factory values) {
        this.source = source;
        this.options = options;
        this.callers = callers;
        this.values = values;
    }

    /** A load with read-only statements. The source gives a connection for each request, and is not closed. */
    public static Jdbc of(DataSource source) {
        return new Jdbc(Objects.requireNonNull(source, "source"), JdbcOptions.USUAL, OptionalInt.empty(), Jdbc::none);
    }

    private static ParameterValues none(List<String> parameters) {
        throw new IllegalArgumentException("{{" + parameters.get(0) + "}} has no value: set it with values(...)");
    }

    /**
     * The maximum number of concurrent callers, each on a thread of its own. Callers beyond the pool's size wait for a
     * connection, and the wait is included. The default is 64, or the number of users of a closed load, at most 65,535.
     *
     * @param count from 1 to 65,535
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public Jdbc callers(int count) {
        if (count < 1 || count > MOST_CALLERS) {
            throw new IllegalArgumentException("callers must be from 1 to " + MOST_CALLERS + ", but was " + count);
        }
        return new Jdbc(source, options, OptionalInt.of(count), values);
    }

    /** Allows statements that change data. */
    public Jdbc writes() {
        return new Jdbc(source, options.withWrites(), callers, values);
    }

    /**
     * The rows that each statement must return or change, such as {@code rows>=1}; a request with others fails.
     *
     * @param rows one of {@code >=}, {@code <=}, {@code =}, {@code >}, {@code <} and a number, after {@code rows}
     * @throws IllegalArgumentException if the text is malformed
     */
    public Jdbc expect(String rows) {
        return new Jdbc(source, options.withExpect(RowsExpected.parse(rows)), callers, values);
    }

    /**
     * The values of a request's parameters, in order. With an {@link IllegalStateException} the request is not sent, such as
     * when they are used up. With another number of values or any other exception it fails without a response time, and the
     * reason is the number or the exception's name.
     *
     * @param byIndex given the request's index in the run; called by the callers' threads, several at the same time
     */
    public Jdbc values(LongFunction<Object[]> byIndex) {
        Objects.requireNonNull(byIndex, "byIndex");
        return new Jdbc(source, options, callers, parameters -> byIndex::apply);
    }

    /**
     * What each request does: one statement, or several in one transaction.
     *
     * @param text with a name in double braces for each parameter
     * @throws IllegalArgumentException if it cannot be sent; the message says why
     */
    public SystemUnderTest sql(String text) {
        return does(SqlScript.parse(text), CALLERS);
    }

    private Statements does(SqlScript script, int usualCallers) {
        JdbcOptions all = options.withConnections(callers.orElse(usualCallers));
        return new Statements(this, script, JdbcTarget.of(source, script, all, values));
    }

    /** The callers, but not the source, whose text may hold a password. */
    @Override
    public String toString() {
        return "DataSource, " + (callers.isPresent() ? callers.getAsInt() : CALLERS) + " callers";
    }

    /** Statements on a source. Thread-safe. */
    record Statements(Jdbc jdbc, SqlScript script, JdbcTarget target) implements Target.Wrapper {
        @Override
        public MeasuredSystem forUsers(int users) {
            return users == 0 ? this : jdbc.does(script, Math.min(MOST_CALLERS, users));
        }

        @Override
        public String toString() {
            return describe();
        }
    }
}
