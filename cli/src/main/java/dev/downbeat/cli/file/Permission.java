package dev.downbeat.cli.file;

import java.util.Set;

/** What a saved file may take from this machine, since it may be somebody else's. Each includes those before it. */
public enum Permission {
    NONE(""),
    ENVIRONMENT(Permission.ALLOW_ENV),
    CODE(Permission.ALLOW_EXEC);

    public static final String ALLOW_EXEC = "--allow-exec";
    public static final String ALLOW_ENV = "--allow-env";

    /** All options that give a permission. */
    public static final Set<String> OPTIONS = Set.of(ALLOW_EXEC, ALLOW_ENV);

    public static final String ALLOW_EXEC_HELP =
            "Allows a plan or saved run to start code here: exec:, --driver-jar, or jdbc: other than PostgreSQL and MariaDB.";

    public static final String ALLOW_ENV_HELP =
            "Allows a plan or saved run to send environment variables, or sign with AWS keys.";

    private final String option;

    Permission(String option) {
        this.option = option;
    }

    /** The permission that a command line gives. */
    public static Permission of(boolean allowExec, boolean allowEnv) {
        return allowExec ? CODE : allowEnv ? ENVIRONMENT : NONE;
    }

    /** The option that gives it; empty for none. */
    public String option() {
        return option;
    }
}
