package dev.downbeat.report.paper;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The JSON name of a component, where it does not follow from the Java name. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
    /** The name; empty for a map or record whose members appear in the enclosing object. */
    String value();
}
