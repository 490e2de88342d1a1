package dev.downbeat.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Compares a {@link LoadTest} with another build of the same service, such as that of the base branch. Both are
 * measured alternately, on the same machine and in the same job, so the choice of machine does not matter.
 *
 * <pre>{@code
 * @LoadTest(rate = "200/s", duration = "20s")
 * @Against(serviceUrl = "http://127.0.0.1:${shop.port}")
 * void places_orders(URI service) {
 *     client.place(service);
 * }
 * }</pre>
 *
 * <p>The system property {@code downbeat.against} selects the other build. It is a URL; a jar, which is started on a
 * free port and stopped afterwards; or {@code git:main}, whose jar is built by Maven or Gradle in a work tree of that
 * branch. Without the property only the service under test is measured. With it, both are then measured alternately
 * for equal times: each for the duration of the test, and longer, up to its {@link LoadTest#budget}, while undecided.
 * The test fails if the service under test is confidently slower by more than {@link LoadTest#slowerAtMost}, or fails
 * more often. The method, or methods of the class, have a {@code java.net.URI} parameter for the service to call.
 * There is one other build, so an annotation of the method replaces that of its class, unlike {@link Slo} and {@link
 * Watch}, which add up.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Against {
    /** The URL of the service under test; <code>${NAME}</code> stands for a system property. */
    String serviceUrl();

    /** Arguments of a jar; {@code {port}} stands for its port. */
    String[] arguments() default {"--server.port={port}"};

    /** The readiness path: the jar is ready once this returns a status below 500. */
    String ready() default "/";

    /** The maximum start-up time of a jar. */
    String startsWithin() default "1m";

    /** The number of slices into which the duration is divided, from 5 to 100. */
    int turns() default 5;
}
