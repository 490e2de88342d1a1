package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Only C2 uses the processor's cipher instructions; code compiled by C1 encrypts at most a hundredth as fast. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompilersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String BIN =
            Path.of(System.getProperty("java.home"), "bin").toString();

    @Test
    void C2_compiles_only_the_ciphers_and_prints_nothing_about_it() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            try (Cli cli = run(server.uri().toString(), "-d", "5s", "-q")) {
                String directives = directives(cli);
                while (cli.isRunning() && !directives.contains("com/sun/crypto/provider")) {
                    LockSupport.parkNanos(500_000_000); // each check starts a JVM
                    directives = directives(cli);
                }
                assertThat(directives).contains("com/sun/crypto/provider");
                Cli.Ending ending = cli.end(PATIENCE);
                assertThat(ending.err()).isEmpty();
                assertThat(ending.out()).doesNotContain("directive");
            }
        }
    }

    @Test
    void code_outside_Downbeat_such_as_a_driver_is_left_to_both_compilers() throws Exception {
        String worker = "exec:while read -r line; do if [ \"$line\" = ping ]; then echo pong; else echo ok; fi; done";
        try (Cli cli = run(worker, "-d", "20s", "-v")) {
            while (cli.isRunning() && !cli.errSoFar().contains("warmed up")) {
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(directives(cli)).contains("(default)").doesNotContain("com/sun/crypto/provider");
            cli.signal("TERM");
            assertThat(cli.end(PATIENCE).code()).isEqualTo(143);
        }
    }

    private static Cli run(String... words) {
        List<String> command = new ArrayList<>(List.of(BIN + "/java", "-XX:+UseSerialGC", "-jar"));
        command.add(Checkout.jar().toString());
        command.add("run");
        command.addAll(List.of(words));
        command.addAll(List.of("-R", "50", "--accept-unsound"));
        return Cli.startCommand(command, Checkout.root());
    }

    private static String directives(Cli cli) throws IOException {
        Process jcmd = new ProcessBuilder(BIN + "/jcmd", Long.toString(cli.pid()), "Compiler.directives_print")
                .redirectErrorStream(true)
                .start();
        return new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
