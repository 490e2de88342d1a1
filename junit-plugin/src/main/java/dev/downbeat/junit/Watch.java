package dev.downbeat.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Watches the service of a {@link LoadTest} during the measurement, so that the sentence of a failing test names what
 * slow calls waited for: collections, locks, throttling. On the method, or on the class or an enclosing class for all of
 * its methods. As with {@link Slo}, a method adds to what its class says.
 *
 * <pre>{@code
 * static Process shop;
 *
 * @LoadTest(rate = "200/s", duration = "20s")
 * @Slo("p99 < 50ms")
 * @Watch("jvm:${shop}")
 * void places_orders() { ... }
 * }</pre>
 *
 * <p>A service that cannot be watched is reported and fails no test. For a service in the JVM of the tests use {@link
 * LoadTest#watchSelf}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Watch {
    /**
     * What to watch: {@code jvm:PID}, {@code jvm:HOST:PORT} (JMX), {@code pid:PID}, {@code cgroup:PATH}, {@code
     * prometheus:URL?series=NAME} or {@code jdbc:URL}. <code>${NAME}</code> stands for a system property, or for a static field of the test
     * class of type {@code Process}, {@code ProcessHandle}, number or text.
     */
    String[] value();
}
