package dev.downbeat.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A class of tests that reckons for seconds: what is concluded from many made-up runs. No other module waits for it: the
 * module {@code src-test/simulations} runs it, and its own does where one test is asked for by name.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("simulated")
public @interface Simulated {}
