package dev.downbeat.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A method without parameters of a {@link Timing} class that measures what its tests look at: called once an attempt, before
 * the first test. Of the instance only if there is one for all tests ({@code TestInstance.Lifecycle.PER_CLASS}).
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface MeasuredFirst {}
