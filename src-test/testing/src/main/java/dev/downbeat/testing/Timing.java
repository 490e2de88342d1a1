package dev.downbeat.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Marks a class of tests whose numbers depend on the machine. It runs alone in its JVM. A failure under good conditions
 * fails at once. A test that fails while the machine is busy is repeated, including the class's {@link MeasuredFirst}
 * methods, up to three times in all. If the machine was busy each time, the test is listed as {@link NotShown} and the build
 * continues, unless the test is {@link NeverExcused}. Measurements must not be kept in static fields or by {@code
 * @BeforeAll}, since these outlive an attempt.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ClassTemplate
@Isolated
@Tag("timing")
@ExtendWith(TimingAttempts.class)
public @interface Timing {}
