package dev.downbeat.cli.job;

import dev.downbeat.selfcheck.MachineProfile;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which of the JVM's two compilers compiles what: the quick one (C1) all but the ciphers, which only the other (C2) compiles
 * to the processor's instructions for them. Then nothing of ours is compiled anew in mid-run, and nothing that is encrypted
 * takes a hundred times as long. docs/engine.md has the measurements.
 *
 * <p>Said to the JVM from within, so that it holds however we are started, and whatever a plan or a saved file turns out to
 * aim at. Needs what the manifest of our jar opens; where it is not, the JVM does as it always does.
 */
final class Compilers {
    private static final String DIRECTIVES = """
            [
              { match: ["com/sun/crypto/provider/*.*", "sun/security/*.*", "javax/crypto/*.*"], c2: { Exclude: false } },
              { match: "*.*", c2: { Exclude: true } }
            ]
            """;

    private Compilers() {}

    /** Settles it for all that is compiled from now on. {@code -Ddownbeat.compilers=jvm} leaves it to the JVM. */
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
        } catch (IOException | ReflectiveOperationException | RuntimeException cannot) {
            // It runs as well, only not as steadily.
        }
    }

    /** The user, or whoever starts us, has chosen already. */
    static boolean isForOneCompiler() {
        return MachineProfile.flags().stream()
                .anyMatch(flag -> flag.startsWith("-XX:TieredStopAtLevel") || flag.equals("-Xint"));
    }

    /** As jcmd does, without another process. */
    private static void tell(String command) throws ReflectiveOperationException {
        Class.forName("com.sun.management.internal.PlatformMBeanProviderImpl"); // which brings the library
        Class<?> type = Class.forName("com.sun.management.internal.DiagnosticCommandImpl");
        Method get = type.getDeclaredMethod("getDiagnosticCommandMBean");
        get.setAccessible(true);
        Method execute = type.getDeclaredMethod("executeDiagnosticCommand", String.class);
        execute.setAccessible(true);
        execute.invoke(get.invoke(null), command);
    }
}
