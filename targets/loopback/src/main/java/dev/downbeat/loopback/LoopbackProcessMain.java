package dev.downbeat.loopback;

import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import java.util.List;

/**
 * The child side of {@link LoopbackProcess}. Prints its address and certificate on stdout, or one line with the reason
 * why it cannot start; answers {@code stats} on stdin; exits when stdin ends, so that it never outlives its parent.
 */
final class LoopbackProcessMain {
    static final String NO_CERTIFICATE = "none";

    private LoopbackProcessMain() {}

    public static void main(String[] args) throws IOException, CertificateEncodingException {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (LoopbackServer server = LoopbackServer.start(LoopbackOptions.parse(List.of(args)))) {
            out.println("uri " + server.uri());
            out.println("certificate " + certificate(server));
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (in.readLine() != null) {
                out.println("stats " + server.stats().format());
            }
        } catch (IOException | IllegalArgumentException e) {
            out.println(e.getMessage());
            System.exit(1);
        }
    }

    private static String certificate(LoopbackServer server) throws CertificateEncodingException {
        return server.certificate().isPresent()
                ? Base64.getEncoder().encodeToString(server.certificate().get().getEncoded())
                : NO_CERTIFICATE;
    }
}
