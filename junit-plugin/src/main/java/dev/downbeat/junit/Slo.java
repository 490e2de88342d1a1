package dev.downbeat.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * An objective of a {@link LoadTest}: on its method, or on the class, a superclass or an enclosing class for all of its
 * methods. All of them must be met: a method adds to the objectives of its class and cannot relax one. {@code errors<1%}
 * is added unless the errors or the rate have a limit.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Repeatable(Slo.List.class)
public @interface Slo {
    /** Such as {@code p99 < 50ms}, {@code max<2s}, {@code mean<10ms}, {@code errors < 0.1%} or {@code rate>=99%}. */
    String value();

    /** Container for several objectives. */
    @Documented
    @Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface List {
        /** The objectives. */
        Slo[] value();
    }
}
