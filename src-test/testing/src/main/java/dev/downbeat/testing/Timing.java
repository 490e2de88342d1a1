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
 * A class of tests whose numbers depend on the machine. It runs alone in its JVM. A test that fails while the machine was
 * busy with others is made again, after the {@link MeasuredFirst} methods of its class, three times in all; where the machine never
 * allowed it, the test is listed as {@link NotShown} and the build goes on. What fails under good conditions fails at once, and
 * what fails three times fails unless others had the machine each time. Nothing
 * that was measured may be held in a static field, nor by {@code @BeforeAll}: both last over all attempts.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ClassTemplate
@Isolated
@Tag("timing")
@ExtendWith(TimingAttempts.class)
public @interface Timing {}
