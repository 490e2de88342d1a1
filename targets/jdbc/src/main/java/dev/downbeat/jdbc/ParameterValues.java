package dev.downbeat.jdbc;

import java.util.List;

/** The values of each request's parameters. Thread-safe. */
@FunctionalInterface
public interface ParameterValues {
    /**
     * The values of one request's parameters, in their order.
     *
     * @param index which of the run's requests
     */
    Object[] of(long index);

    /** Makes values for the parameters of one kind of request. */
    @FunctionalInterface
    interface Source {
        /**
         * Values for these parameters.
         *
         * @param parameters what stands between the braces; not empty
         * @throws IllegalArgumentException if one has no value; says which
         */
        ParameterValues of(List<String> parameters);
    }
}
