package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** One object serves request after request: nothing of one may be left for the next. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExchangeTest {
    /** Whose request it is; the generator sets them before each. */
    private static final Set<String> SET_BEFORE = Set.of("slot", "index", "client", "session", "step", "name");

    @Test
    void a_new_request_keeps_nothing_of_the_last() throws IllegalAccessException {
        Exchange used = used();
        used.begin(10, 20, 30);
        Exchange fresh = new Exchange(1);
        fresh.begin(10, 20, 30);
        assertThat(values(used, SET_BEFORE)).isEqualTo(values(fresh, SET_BEFORE));
    }

    @Test
    void a_copy_has_all_but_the_slot() throws IllegalAccessException {
        Exchange copy = new Exchange(2);
        copy.copy(used());
        assertThat(values(copy, Set.of("slot"))).isEqualTo(values(used(), Set.of("slot")));
    }

    /** Each field has a value that no other has, and none that a new exchange has. */
    private static Exchange used() throws IllegalAccessException {
        Exchange exchange = new Exchange(1);
        int value = 100;
        for (Field field : Exchange.class.getFields()) {
            if (Modifier.isFinal(field.getModifiers()) || Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            value++;
            if (field.getType() == long.class) {
                field.setLong(exchange, value);
            } else if (field.getType() == int.class) {
                field.setInt(exchange, value);
            } else if (field.getType() == boolean.class) {
                field.setBoolean(exchange, true);
            } else {
                field.set(exchange, Outcome.timedOut());
            }
        }
        return exchange;
    }

    private static Map<String, Object> values(Exchange exchange, Set<String> without) throws IllegalAccessException {
        Map<String, Object> values = new TreeMap<>();
        for (Field field : Exchange.class.getFields()) {
            if (!without.contains(field.getName()) && !Modifier.isStatic(field.getModifiers())) {
                values.put(field.getName(), field.get(exchange));
            }
        }
        return values;
    }
}
