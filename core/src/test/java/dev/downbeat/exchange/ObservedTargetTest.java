package dev.downbeat.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.ObservedTarget.FirstIntended;
import dev.downbeat.time.NanoClock;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ObservedTargetTest {
    private final List<String> called = new ArrayList<>();
    private final Lane lane = noting(Lane.class);
    private final Target target = noting(Target.class);

    /** Whatever is called is noted. */
    private <T> T noting(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            called.add(method.getName());
            Class<?> result = method.getReturnType();
            if (result == Lane.class) {
                return lane;
            }
            return result == long.class
                    ? (Object) 7L
                    : result == int.class ? (Object) 7 : result == boolean.class ? (Object) true : null;
        }));
    }

    /** Its own: what it inherits is asked before a run. */
    private static List<Method> methods(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    private static List<String> names(List<Method> methods) {
        return methods.stream().map(Method::getName).toList();
    }

    @Test
    void whatever_a_run_asks_of_a_target_or_of_its_lane_is_passed_on_also_what_has_a_default() throws Exception {
        Target observed = new ObservedTarget(target, exchange -> called.add("observed"));
        for (Method method : methods(Target.class)) {
            if (!method.getName().equals("open")) {
                invoke(method, observed);
            }
        }
        Lane open = observed.open(0, 1, NanoClock.system(), exchange -> {});
        assertThat(called).containsExactlyInAnyOrderElementsOf(names(methods(Target.class)));
        called.clear();
        for (Method method : methods(Lane.class)) {
            invoke(method, open);
        }
        assertThat(called).contains("observed").containsAll(names(methods(Lane.class)));
    }

    private static void invoke(Method method, Object on) throws ReflectiveOperationException {
        Object[] args = Arrays.stream(method.getParameterTypes())
                .map(type -> type == long.class ? (Object) 1L : new Exchange(0))
                .toArray();
        method.invoke(on, args);
    }

    @Test
    void the_first_request_of_a_run_is_that_of_index_0_whichever_is_sent_first() throws InterruptedException {
        FirstIntended first = new FirstIntended();
        assertThat(first.await(0, TimeUnit.SECONDS)).isEmpty();
        for (long index : new long[] {1, 0, 2}) {
            Exchange exchange = new Exchange(0);
            exchange.index = index;
            exchange.intendedAt = 100 + index;
            first.sends(exchange);
        }
        assertThat(first.await(0, TimeUnit.SECONDS)).isEqualTo(OptionalLong.of(100));
    }
}
