package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import org.jspecify.annotations.Nullable;

/** What stands in a request where its text has a variable whose value differs from request to request. Immutable. */
@FunctionalInterface
public interface Value {
    /**
     * Appends the value.
     *
     * @return why there is none; null if there is
     */
    @Nullable
    Outcome write(Draw draw, RequestBytes into);
}
