package dev.downbeat.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets a {@link LoadTest} against another build of the same service, such as that of the base branch, measured on the same
 * machine in the same job, in turns. So it does not matter which machine a build gets.
 *
 * <pre>{@code
 * @LoadTest(rate = "200/s", duration = "20s")
 * @Against(own = "http://127.0.0.1:${shop.port}")
 * void places_orders(URI service) {
 *     client.place(service);
 * }
 * }</pre>
 *
 * <p>The other one is named by the system property {@code downbeat.against}: a URL where it answers; a jar, which is started on
 * a free port, waited for, and ended; or {@code git:main}, whose jar Maven or Gradle builds in a work tree of that branch. Without the property only the own service is measured. With it, after that, both are
 * measured in turns for the same time each; the test fails if the own one is surely slower by more than {@link
 * LoadTest#slowerAtMost}, or fails more. The method, or methods of the class, take a {@code java.net.URI}: that of the service to
 * call.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Against {
    /** Where the service under test answers; <code>${NAME}</code> stands for a system property. */
    String own();

    /** What a jar is told; {@code {port}} stands for its port. */
    String[] arguments() default {"--server.port={port}"};

    /** A path that is answered with a status below 500 as soon as a jar is ready. */
    String ready() default "/";

    /** How long a jar may take for that. */
    String startsWithin() default "1m";

    /** How many times each is measured, from 5 to 100. */
    int turns() default 5;
}
