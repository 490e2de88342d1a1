package dev.downbeat.cli.job;

import dev.downbeat.selfcheck.MachineProfile;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Chooses the JVM's compilers. The fast one (C1) compiles everything except the ciphers, which only C2 compiles to the
 * processor's cipher instructions. Then no code is recompiled during a run, and encryption is not a hundred times
 * slower. docs/engine.md has the measurements.
 *
 * <p>Set from within the JVM, so that it holds however Downbeat is started and whatever a saved plan targets. It needs
 * the access granted by the manifest of Downbeat's jar; without it, the JVM's defaults apply.
 */
final class Compilers {
    private static final String DIRECTIVES = """
            [
              { match: ["com/sun/crypto/provider/*.*", "sun/security/*.*", "javax/crypto/*.*"], c2: { Exclude: false } },
              { match: "*.*", c2: { Exclude: true } }
            ]
            """;

    private Compilers() {}

    /** Applies the choice to all code compiled from now on. {@code -Ddownbeat.compilers=jvm} disables it. */
    static void settle() {
        if (System.getProperty("downbeat.compilers", "ours").equals("jvm") || isForOneCompiler()) {
            return;
        }
        try {
            Path file = Files.createTempFile("downbeat", ".directives");
            try {
                Files.writeString(file, DIRECTIVES, StandardCharsets.US_ASCII);
                tell("Compiler.directives_add " + file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException | ReflectiveOperationException | RuntimeException failed) {
            // it works without, only less steadily
        }
    }

    /** Whether the user or the launcher has chosen already. */
    static boolean isForOneCompiler() {
        return MachineProfile.flags().stream()
                .anyMatch(flag -> flag.startsWith("-XX:TieredStopAtLevel") || flag.equals("-Xint"));
    }

    /** Runs a command of jcmd within this process. */
    private static void tell(String command) throws ReflectiveOperationException {
        Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl"); // loads the library
        Class<?> type = Class.forName("com.sun.management.internal.DiagnosticCommandImpl");
        Method get = type.getDeclaredMethod("getDiagnosticCommandMBean");
        get.setAccessible(true);
        Method execute = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
        execute.setAccessible(true);
        execute.invoke(get.invoke(null), command);
    }
}
