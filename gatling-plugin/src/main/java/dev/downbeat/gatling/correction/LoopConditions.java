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
 * Loop conditions by the names of the loops' counters. A session itself knows the condition only for loops that exit as
 * soon as it fails. Thread-safe.
 */
final class LoopConditions {
    private final Map<String, Function1<Clock, Function1<Session, Validation<Object>>>> byCounter =
            new ConcurrentHashMap<>();

    /** Whether a builder is a loop's, or a retry block's, which a failure may end together with a loop in it. */
    static boolean countsRounds(Object builder) {
        return PrivateField.find(builder, "counterName") instanceof String;
    }

    /** Registers a loop builder's condition, read from its private fields; ignores other builders. */
    @SuppressWarnings("unchecked") // the types of the fields
    void register(Object builder) {
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

    /** The condition of the loop with this counter; null if unknown. */
    @Nullable
    Function1<Session, Validation<Object>> of(String counter, Clock clock) {
        Function1<Clock, Function1<Session, Validation<Object>>> condition = byCounter.get(counter);
        return condition == null ? null : condition.apply(clock);
    }
}
