package dev.downbeat.jdbc;

import dev.downbeat.exchange.SystemUnderTest;
import dev.downbeat.jdbc.JdbcOptions.RowsExpected;
import java.util.List;
import java.util.Objects;
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
 * <p>Immutable.
 */
public final class Jdbc {
    private static final int CALLERS = 64;

    private final DataSource source;
    private final JdbcOptions options;
    private final ParameterValues.Source values;

    private Jdbc(DataSource source, JdbcOptions options, ParameterValues.Source values) {
        this.source = source;
        this.options = options;
        this.values = values;
    }

    /** A load of up to 64 concurrent callers with read-only statements. The source is not closed. */
    public static Jdbc of(DataSource source) {
        return new Jdbc(
                Objects.requireNonNull(source, "source"), JdbcOptions.USUAL.withConnections(CALLERS), Jdbc::none);
    }

    private static ParameterValues none(List<String> parameters) {
        throw new IllegalArgumentException("{{" + parameters.get(0) + "}} has no value: give some by values(...)");
    }

    /** Sets the most concurrent callers. Callers beyond the pool's size wait for a connection, and the wait counts. */
    public Jdbc callers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("callers must be at least 1, but was " + count);
        }
        return new Jdbc(source, options.withConnections(count), values);
    }

    /** Allows statements that change data. */
    public Jdbc writes() {
        return new Jdbc(source, options.withWrites(), values);
    }

    /**
     * Sets what each statement must return or change, such as {@code rows>=1}.
     *
     * @throws IllegalArgumentException if the text is invalid
     */
    public Jdbc expect(String rows) {
        return new Jdbc(source, options.withExpect(RowsExpected.parse(rows)), values);
    }

    /** Sets the parameter values of a request, in order, by its index in the run. */
    public Jdbc values(LongFunction<Object[]> byIndex) {
        return new Jdbc(source, options, parameters -> byIndex::apply);
    }

    /**
     * Sets what each request does: one statement, or several in one transaction.
     *
     * @throws IllegalArgumentException if it cannot be sent; the message says why
     */
    public SystemUnderTest sql(String text) {
        return JdbcTarget.of(source, SqlScript.parse(text), options, values);
    }
}
