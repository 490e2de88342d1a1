package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.PrivateField;
import io.gatling.commons.util.Clock;
import io.gatling.commons.validation.Validation;
import io.gatling.core.session.Session;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * The conditions of a simulation's loops by the names of their counters. A session knows the condition of a loop only if
 * the loop is left as soon as it no longer holds. Thread-safe.
 */
final class LoopConditions {
    private final Map<String, Function1<Clock, Function1<Session, Validation<Object>>>> byCounter =
            new ConcurrentHashMap<>();

    /** Notes what a loop builder keeps in its private fields; does nothing for other builders. */
    @SuppressWarnings("unchecked") // the fields' own types
    void note(Object builder) {
        Object counter = PrivateField.find(builder, "counterName");
        Object simple = PrivateField.find(builder, "condition");
        Object byClock = PrivateField.find(builder, "clockBasedCondition");
        if (!(counter instanceof String name)) {
            return;
        }
        if (byClock != null) {
            byCounter.put(name, (Function1<Clock, Function1<Session, Validation<Object>>>) byClock);
        } else if (simple != null) {
            byCounter.put(name, clock -> (Function1<Session, Validation<Object>>) simple);
        }
    }

    /** The condition of the loop with this counter; null if it is not known. */
    @Nullable
    Function1<Session, Validation<Object>> of(String counter, Clock clock) {
        Function1<Clock, Function1<Session, Validation<Object>>> condition = byCounter.get(counter);
        return condition == null ? null : condition.apply(clock);
    }
}
