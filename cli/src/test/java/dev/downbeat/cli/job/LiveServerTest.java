package dev.downbeat.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveServerTest {
    /** The lines of the response. */
    private static List<String> answer(InetSocketAddress at, String method, String host) throws IOException {
        try (LiveServer server = LiveServer.start("--live-page", at, "/", exchange -> {
                    exchange.sendResponseHeaders(LiveServer.OK, -1);
                    exchange.close();
                });
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request = method + " / HTTP/1.1\r\nHost: " + host.replace("PORT", Integer.toString(server.port()))
                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .lines()
                    .toList();
        }
    }

    private static String status(InetSocketAddress at, String method, String host) throws IOException {
        return answer(at, method, host).get(0).split(" ")[1];
    }

    @ParameterizedTest
    @CsvSource({
        "GET, localhost:PORT, 200",
        "GET, LOCALHOST, 200",
        "HEAD, 127.0.0.1:PORT, 200",
        "GET, [::1]:PORT, 200",
        "GET, given.invalid:PORT, 200",
        "GET, host.docker.internal:PORT, 200",
        "GET, host.containers.internal:PORT, 200",
        "GET, evil.internal:PORT, 403",
        "HEAD, evil.example:PORT, 403",
        "GET, evil.example, 403",
        "GET, evil.example:PORT, 403",
        "GET, localhost.evil.example, 403",
        "POST, localhost:PORT, 405",
        "POST, evil.example, 403"
    })
    void what_listens_on_this_machine_only_answers_to_its_own_names_only(String method, String host, String status)
            throws IOException {
        byte[] loopback = InetAddress.getLoopbackAddress().getAddress();
        InetSocketAddress given = new InetSocketAddress(InetAddress.getByAddress("given.invalid", loopback), 0);
        assertThat(status(given, method, host)).isEqualTo(status);
    }

    @Test
    void who_asks_by_another_name_hears_how_to_give_it() throws IOException {
        InetSocketAddress here = new InetSocketAddress("127.0.0.1", 0);
        assertThat(answer(here, "GET", "name.example:9464"))
                .last()
                .isEqualTo("Unknown host name. To allow it: --live-page NAME:PORT");
        assertThat(answer(here, "HEAD", "name.example:9464")).last().isEqualTo("");
    }

    @Test
    void what_other_machines_may_ask_has_any_name() throws IOException {
        assertThat(status(new InetSocketAddress("0.0.0.0", 0), "GET", "load.example:9464"))
                .isEqualTo("200");
    }
}
