package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import org.jspecify.annotations.Nullable;

/** The value of a variable that differs between requests. Immutable. */
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
