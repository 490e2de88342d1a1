package dev.downbeat.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.Results;
import dev.downbeat.report.file.PrometheusText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PrometheusEndpointTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static PrometheusText.Standing standing(int answered) {
        return new PrometheusText.Standing(
                "0", "GET http://h/", Results.recording(answered, 1), 5, 2, Map.of("1/2", "silent"));
    }

    private static HttpResponse<String> ask(PrometheusEndpoint endpoint, String method, String path)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + endpoint.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(20))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void it_shows_the_current_state_of_the_run() throws Exception {
        try (PrometheusEndpoint endpoint = PrometheusEndpoint.start(ANY_PORT, () -> standing(10))) {
            HttpResponse<String> before = ask(endpoint, "GET", "/metrics");
            assertThat(before.statusCode()).isEqualTo(200);
            assertThat(before.headers().firstValue("Content-Type")).hasValue(PrometheusText.CONTENT_TYPE);
            assertThat(before.body()).contains("downbeat_requests_ended_total{fate=\"answered\"} 10\n");
            endpoint.show(() -> standing(20));
            assertThat(ask(endpoint, "GET", "/metrics").body())
                    .contains("downbeat_requests_ended_total{fate=\"answered\"} 20\n")
                    .contains("downbeat_requests_in_flight 5\n")
                    .contains("downbeat_shard_info{shard=\"1/2\",health=\"silent\"} 1\n");
            assertThat(ask(endpoint, "HEAD", "/metrics").body()).isEmpty();
            assertThat(ask(endpoint, "GET", "/metricsx").statusCode()).isEqualTo(404);
            assertThat(ask(endpoint, "POST", "/metrics").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void a_port_that_is_taken_is_refused_by_its_name() throws IOException {
        try (PrometheusEndpoint endpoint = PrometheusEndpoint.start(ANY_PORT, () -> standing(1))) {
            InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port());
            assertThatThrownBy(() -> PrometheusEndpoint.start(taken, () -> standing(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("--prometheus")
                    .hasMessageContaining(":" + endpoint.port());
        }
    }

    @Test
    void slow_readers_and_partial_requests_do_not_delay_others() throws Exception {
        try (PrometheusEndpoint endpoint = PrometheusEndpoint.start(ANY_PORT, () -> standing(10))) {
            List<Socket> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 8; i++) {
                    Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
                    slow.add(socket);
                    socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost".getBytes(StandardCharsets.US_ASCII));
                }
                assertThat(ask(endpoint, "GET", "/metrics").statusCode()).isEqualTo(200);
            } finally {
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
    }

    @Test
    void without_a_host_only_this_machine_can_ask() {
        assertThat(LiveOptions.address(":9464").getAddress().isLoopbackAddress())
                .isTrue();
        assertThat(LiveOptions.resolved("--prometheus", LiveOptions.address("0.0.0.0:1"))
                        .getAddress()
                        .isAnyLocalAddress())
                .isTrue();
    }

    /** The first lookup of a process fixes for how long Java keeps any: --lookup may come later on the command line. */
    @Test
    void a_name_is_not_looked_up_while_options_are_read() {
        assertThat(LiveOptions.address("localhost:1").isUnresolved()).isTrue();
        assertThat(LiveOptions.resolved("--prometheus", LiveOptions.address("localhost:1"))
                        .getAddress()
                        .isLoopbackAddress())
                .isTrue();
        assertThatThrownBy(() -> LiveOptions.resolved("--prometheus", LiveOptions.address("no-such-host.invalid:1")))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage("--prometheus: unknown host 'no-such-host.invalid'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9464", ":", ":x", ":70000", "h:-1"})
    void an_invalid_address_is_refused(String text) {
        assertThatThrownBy(() -> LiveOptions.address(text)).isInstanceOf(TypeConversionException.class);
    }
}
