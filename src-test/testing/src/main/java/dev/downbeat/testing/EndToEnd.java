package dev.downbeat.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Marks a class of tests of {@code targets/} that takes seconds because it waits for real servers. The module {@code
 * src-test/targets} runs it, so that no other module waits for it; its own module runs it only if a test is named by
 * {@code -Dtest}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("end-to-end")
public @interface EndToEnd {}
