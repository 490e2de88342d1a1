package dev.downbeat.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method without parameters of a {@link Timing} class that takes the measurements for its tests. Called once
 * per attempt, before the first test. May be an instance method only with {@code TestInstance.Lifecycle.PER_CLASS}.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface MeasuredFirst {}
