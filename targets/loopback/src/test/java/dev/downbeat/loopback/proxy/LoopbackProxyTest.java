package dev.downbeat.loopback.proxy;

import static dev.downbeat.loopback.RawClient.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.RawClient;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.loopback.proxy.ProxyOptions.Closing;
import dev.downbeat.time.ServiceLaw;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopbackProxyTest {
    private static LoopbackServer backend;

    @BeforeAll
    static void start() throws IOException {
        backend = LoopbackServer.start(LoopbackOptions.defaults());
    }

    @AfterAll
    static void stop() {
        backend.close();
    }

    private static LoopbackProxy proxy(Closing closing) throws IOException {
        return LoopbackProxy.start(ProxyOptions.to(backend.port()).closing(closing));
    }

    private static RawClient client(LoopbackProxy proxy) throws IOException {
        return new RawClient(URI.create(proxy.uri()).getPort());
    }

    @Test
    void a_connection_is_closed_after_so_many_requests_and_the_last_answer_says_so() throws IOException {
        try (LoopbackProxy proxy = proxy(Closing.after(3, true));
                RawClient client = client(proxy)) {
            assertThat(client.ask(GET)).endsWith("ok").doesNotContain("Connection: close");
            assertThat(client.ask(GET)).endsWith("ok").doesNotContain("Connection: close");
            client.send(GET);
            assertThat(client.rest()).endsWith("ok").contains("Connection: close");
        }
    }

    @Test
    void without_notice_the_last_answer_says_nothing() throws IOException {
        try (LoopbackProxy proxy = proxy(Closing.after(2, false));
                RawClient client = client(proxy)) {
            assertThat(client.ask(GET)).endsWith("ok");
            client.send(GET);
            assertThat(client.rest()).endsWith("ok").doesNotContain("Connection: close");
        }
    }

    @Test
    void chunks_pass_as_they_are() throws IOException {
        try (LoopbackProxy proxy = proxy(Closing.after(1, true));
                RawClient client = client(proxy)) {
            client.send(RawClient.get("misbehave=chunked&size=10"));
            assertThat(client.rest())
                    .contains("chunked", "\r\n0\r\n", "Connection: close")
                    .endsWith("\r\n\r\n");
        }
    }

    @Test
    void a_response_to_head_has_no_body() throws IOException {
        try (LoopbackProxy proxy = proxy(Closing.after(2, true));
                RawClient client = client(proxy)) {
            client.send(GET.replace("GET", "HEAD"));
            assertThat(client.head()).startsWith("HTTP/1.1 200").contains("Content-Length: 2");
            assertThat(client.ask(GET)).endsWith("ok");
        }
    }

    @Test
    void a_client_is_told_to_continue_before_its_body() throws IOException {
        try (LoopbackProxy proxy = proxy(Closing.after(1, true));
                RawClient client = client(proxy)) {
            client.send("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 100");
            client.send("x");
            assertThat(client.rest()).startsWith("HTTP/1.1 200").endsWith("ok");
        }
    }

    @Test
    void the_proxy_reconnects_to_a_backend_that_closes() throws IOException {
        try (LoopbackServer impatient = LoopbackServer.start(LoopbackOptions.builder()
                        .closeAfter(1)
                        .closeNotice(false)
                        .build());
                LoopbackProxy proxy = LoopbackProxy.start(ProxyOptions.to(impatient.port()));
                RawClient client = client(proxy)) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.ask(GET)).endsWith("ok");
            }
            assertThat(impatient.stats().connectionsAccepted()).isEqualTo(5);
        }
    }

    @Test
    void each_connection_draws_its_own_number() throws IOException {
        List<Integer> lives = new ArrayList<>();
        try (LoopbackProxy proxy = proxy(new Closing(1, 20, true))) {
            for (int i = 0; i < 10; i++) {
                lives.add(requestsUntilClose(proxy));
            }
        }
        assertThat(lives).allMatch(life -> life >= 1 && life <= 20);
        assertThat(lives.stream().distinct().count()).isGreaterThan(3);
    }

    private static int requestsUntilClose(LoopbackProxy proxy) throws IOException {
        try (RawClient client = client(proxy)) {
            int asked = 1;
            while (!client.ask(GET).contains("Connection: close")) {
                asked++;
            }
            return asked;
        }
    }

    @Test
    void answers_and_new_connections_are_as_late_as_asked() throws IOException {
        ProxyOptions options =
                ProxyOptions.to(backend.port()).delays(ServiceLaw.parse("20ms"), ServiceLaw.parse("100ms"));
        try (LoopbackProxy proxy = LoopbackProxy.start(options);
                RawClient client = client(proxy)) {
            long at = System.nanoTime();
            client.ask(GET);
            assertThat(System.nanoTime() - at).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(110));
            long againAt = System.nanoTime();
            client.ask(GET);
            assertThat(System.nanoTime() - againAt).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(19));
        }
    }
}
