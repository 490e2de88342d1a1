package dev.downbeat.loopback;

import static dev.downbeat.loopback.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopbackProcessTest {
    @Test
    void a_frozen_process_accepts_and_answers_only_when_it_goes_on() throws Exception {
        try (LoopbackProcess process = LoopbackProcess.start();
                RawClient client = new RawClient(port(process))) {
            assertThat(client.ask(GET)).endsWith("ok");

            process.freeze();
            process.freeze();
            client.send(GET);
            client.patience(100);
            assertThatThrownBy(client::response).isInstanceOf(SocketTimeoutException.class);
            try (RawClient late = new RawClient(port(process))) {
                late.send(GET);
                process.resume();
                assertThat(late.response()).endsWith("ok");
            }
            client.patience(10_000);
            assertThat(client.response()).endsWith("ok");
            assertThat(process.stats()).isEqualTo(new LoopbackStats(2, 0, 3, 3, 0, 0));
        }
    }

    @Test
    void a_frozen_process_is_gone_after_close() throws Exception {
        LoopbackProcess process = LoopbackProcess.start();
        process.freeze();
        process.close();
        process.close();

        assertThat(ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive))
                .isEmpty();
        assertThatThrownBy(process::stats).isInstanceOf(IOException.class);
    }

    @Test
    void its_options_and_certificate_pass_between_the_processes() throws Exception {
        try (LoopbackProcess process = LoopbackProcess.start(TlsServer.class)) {
            assertThat(process.uri()).startsWith("https://127.0.0.1:");
            assertThat(process.certificate().orElseThrow().getPublicKey().getAlgorithm())
                    .isEqualTo("EC");
        }
    }

    @Test
    void the_reason_for_a_failed_start_is_passed_on() throws Exception {
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.defaults())) {
            assertThatThrownBy(() -> LoopbackProcess.start(ServerAt.class, Integer.toString(server.port())))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("cannot listen on 127.0.0.1 port " + server.port() + ": ");
        }
    }

    @Test
    void it_ends_when_its_parent_does() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoopbackProcess.class.getName())
                .start();
        try {
            assertThat(child.inputReader().readLine()).startsWith("uri http://127.0.0.1:");
            child.getOutputStream().close();

            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(child.exitValue()).isZero();
        } finally {
            child.destroyForcibly();
        }
    }

    static final class TlsServer {
        public static void main(String[] args) throws Exception {
            LoopbackProcess.serve(LoopbackOptions.of(draft -> {
                draft.tls = true;
                draft.certificateKey = CertificateKey.EC;
            }));
        }
    }

    static final class ServerAt {
        public static void main(String[] args) throws Exception {
            LoopbackProcess.serve(LoopbackOptions.of(draft -> draft.port = Integer.parseInt(args[0])));
        }
    }

    private static int port(LoopbackProcess process) {
        return URI.create(process.uri()).getPort();
    }
}
