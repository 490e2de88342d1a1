package dev.downbeat.cli.measurement.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Declares a record component as an option. Its name, default and help are defined only here. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface CliOption {
    /** The kinds of targets that an option applies to. */
    enum TargetKind {
        ANY,
        HTTP,
        SQS,
        JDBC,
        /** Anything that accepts connections. */
        CONNECT,
        /** Commands that send the requests themselves. */
        EXEC
    }

    /** The secret part of a value. */
    enum SecretPart {
        NONE,
        /** Passwords and secret parameters of a URL. */
        OF_URL,
        /** The value after a secret name: {@code name: value}. */
        OF_HEADER,
        /** The value after any name: {@code name=value}. */
        OF_ATTRIBUTE,
        /** All of it, unless it names a file. */
        OF_BODY,
        /** The user, and the password unless it names its place: {@code ann:@FILE}, {@code ann:env:NAME}. */
        OF_USER
    }

    /** Declares that another record has the component of the same name with the same option. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface Of {
        Class<? extends Record> value();
    }

    /** The kinds of targets that all options of a record apply to. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface ForTargets {
        TargetKind value();
    }

    /** The names of an option, shortest first; the label of a parameter, without a dash; the heading of a group. */
    String[] names();

    /** The label of the value in the help. */
    String label() default "";

    String[] help() default {};

    /** The default; empty for an optional value. */
    String defaultValue() default "";

    /** The kinds of targets it applies to. */
    TargetKind[] only() default TargetKind.ANY;

    /** The secret part that is never shown. */
    SecretPart secret() default SecretPart.NONE;
}
