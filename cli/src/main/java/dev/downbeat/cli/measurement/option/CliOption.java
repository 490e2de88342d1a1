package dev.downbeat.cli.measurement.option;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How a component of a record is said on a command line. Its name, default and help stand here and nowhere else. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface CliOption {
    /** What an option is for. */
    enum Only {
        /** Any target. */
        ANY,
        /** HTTP targets. */
        HTTP,
        /** Targets that are queues. */
        SQS,
        /** Databases. */
        JDBC,
        /** Whatever takes connections. */
        CONNECT,
        /** Commands that send the requests themselves. */
        EXEC
    }

    /** What of a value is nobody's business. */
    enum Private {
        /** Nothing. */
        NOTHING,
        /** Passwords and telling parameters of a URL. */
        OF_URL,
        /** The value behind a telling name: {@code name: value}. */
        OF_HEADER,
        /** The value behind any name: {@code name=value}. */
        OF_ATTRIBUTE,
        /** All of it, unless it is the name of a file. */
        OF_BODY
    }

    /** A component that another record has too, by the same name, and that is said alike: its word stands there. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface Of {
        /** Where the word stands. */
        Class<? extends Record> value();
    }

    /** What all words of a record are for. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface AllOnly {
        /** What they are for. */
        Only value();
    }

    /**
     * The names of an option, the shortest first; of a parameter its label, which has no dash; of a group of options its
     * heading.
     */
    String[] names();

    /** What stands for the value in the help. */
    String label() default "";

    /** What the help says. */
    String[] help() default {};

    /** What it is if nobody says it; empty for what may be absent. */
    String otherwise() default "";

    /** A name from other tools, which no help mentions. */
    String alias() default "";

    /** What it is for. */
    Only[] only() default Only.ANY;

    /** What of it is shown nowhere. */
    Private hidden() default Private.NOTHING;
}
