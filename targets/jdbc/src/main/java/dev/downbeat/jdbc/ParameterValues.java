package dev.downbeat.jdbc;

import java.util.List;

/** The values of each request's parameters. Thread-safe. */
@FunctionalInterface
public interface ParameterValues {
    /** The values of one request's parameters, in order, by its index in the run. */
    Object[] of(long index);

    /** Creates values for the parameters of one kind of request. */
    @FunctionalInterface
    interface Factory {
        /**
         * Values for these parameters.
         *
         * @param parameters names between the braces; not empty
         * @throws IllegalArgumentException if one has no value; the message says which
         */
        ParameterValues of(List<String> parameters);
    }
}
