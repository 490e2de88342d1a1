package dev.downbeat.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a test of a {@link Timing} class whose outcome depends on no time. On a busy machine it is repeated like the
 * others, but if its last attempt fails, the build fails.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface NeverExcused {}
