package dev.downbeat.testing;

import java.io.IOException;

/** The interpreter that runs examples: {@code python3}, or that of {@code DOWNBEAT_PYTHON}. */
public final class Python {
    private static final String COMMAND = System.getenv().getOrDefault("DOWNBEAT_PYTHON", "python3");

    private Python() {}

    /**
     * The command that starts an interpreter with this module.
     *
     * @param module such as {@code boto3}
     * @param test its name, for the NOT SHOWN list
     * @throws org.opentest4j.TestAbortedException if there is no such interpreter or module
     */
    public static String with(String module, String test) {
        if (!has(module)) {
            throw NotShown.because(
                    "no Python with " + module,
                    test + ": pip install " + module + ", or name an interpreter in DOWNBEAT_PYTHON");
        }
        return COMMAND;
    }

    private static boolean has(String module) {
        try {
            return new ProcessBuilder(COMMAND, "-c", "import " + module)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
