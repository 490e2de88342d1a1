package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.http.message.HttpRequest;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.time.ManualClock;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A slow name server is asked once at a time, and its answers go to those who still wait. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(20)
class ConnectionLookupTest {
    private final Semaphore mayAnswer = new Semaphore(0);
    private final AtomicInteger asked = new AtomicInteger();

    private static final Link.User IGNORING = new Link.User() {
        @Override
        public void opened() {}

        @Override
        public void failedToOpen(Outcome why) {}

        @Override
        public void ready() {}

        @Override
        public void broken(Outcome why) {}
    };

    private static ConnectionAttempts newAttempts(Selector selector, NanoClock clock) {
        return newAttempts("http://localhost:1/", selector, clock);
    }

    private static ConnectionAttempts newAttempts(String url, Selector selector, NanoClock clock) {
        Destination destination =
                new Destination(HttpRequest.get(url).endpoint(), HttpOptions.of(draft -> {}), new byte[0], false, "");
        return destination.newAttempts(
                selector, clock, new ConnectionCounter(), new ReadBuffer(), new HttpFailures(""), List.of());
    }

    private List<SocketAddress> slow() {
        asked.incrementAndGet();
        mayAnswer.acquireUninterruptibly();
        return List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }

    private static Resolver.LookupResult next(Resolver resolver, Selector selector) throws Exception {
        Resolver.LookupResult answer = resolver.poll();
        while (answer == null) {
            assertThat(Thread.currentThread().isInterrupted()).as("timed out").isFalse();
            selector.select();
            answer = resolver.poll();
        }
        return answer;
    }

    @Test
    void those_who_wait_at_the_same_time_share_one_look_up() throws Exception {
        try (Selector selector = Selector.open();
                Resolver resolver = new Resolver(this::slow, selector)) {
            Consumer<@Nullable IOException> first = failure -> {};
            Consumer<@Nullable IOException> second = failure -> {};
            resolver.request(first);
            resolver.request(second);
            mayAnswer.release();
            assertThat(next(resolver, selector).waiting()).containsExactly(first, second);
            assertThat(asked).hasValue(1);

            resolver.request(first);
            mayAnswer.release();
            assertThat(next(resolver, selector).waiting()).containsExactly(first);
            assertThat(asked).hasValue(2);
        }
    }

    @Test
    void a_look_up_that_breaks_says_why() throws Exception {
        Resolver.AddressSource broken = () -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        try (Selector selector = Selector.open();
                Resolver resolver = new Resolver(broken, selector)) {
            resolver.request(failure -> {});
            assertThat(next(resolver, selector).failure())
                    .isNotNull()
                    .satisfies(failure -> assertThat(OwnLimit.of(failure)).contains(OwnLimit.PROCESSES));
        }
    }

    /** With {@code --every-address} the reason names one of them; whether HTTP/1.1 is tried does not hang on its words. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"no_application_protocol, true", "handshake_failure, false"})
    void a_server_of_several_addresses_refuses_HTTP_2(String alert, boolean isRefused) throws Exception {
        List<String> reasons = new ArrayList<>();
        Link.User user = new Link.User() {
            @Override
            public void opened() {}

            @Override
            public void failedToOpen(Outcome why) {
                reasons.add(why.reason());
            }

            @Override
            public void ready() {}

            @Override
            public void broken(Outcome why) {}
        };
        HttpOptions options = HttpOptions.of(draft -> draft.addresses.everyAddress = true);
        Destination destination =
                new Destination(HttpRequest.get("https://localhost:1/").endpoint(), options, new byte[0], false, "");
        try (Selector selector = Selector.open();
                ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                ConnectionAttempts attempts = destination.newAttempts(
                        selector,
                        new ManualClock(0),
                        new ConnectionCounter(),
                        new ReadBuffer(),
                        new HttpFailures(""),
                        List.of("h2"))) {
            InetSocketAddress one = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            attempts.found(List.of(one, new InetSocketAddress(server.getInetAddress(), 1)));
            Link link = new Link(attempts, user);
            link.open(0);
            link.broken(new SSLException("Received fatal alert: " + alert));
            assertThat(reasons)
                    .singleElement()
                    .asString()
                    .startsWith("TLS: ")
                    .containsPattern("\\(127.0.0.1:[0-9]+\\)$");
            assertThat(link.isHttp2Refused()).isEqualTo(isRefused);
            link.open(0);
            assertThat(link.isHttp2Refused()).as("of the last attempt").isFalse();
            link.close();
        }
    }

    @Test
    void an_address_that_is_passed_over_is_named_with_the_reason() throws IOException {
        Destination destination = new Destination(
                HttpRequest.get("http://localhost:1/").endpoint(), HttpOptions.of(draft -> {}), new byte[0], false, "");
        ConnectionCounter counter = new ConnectionCounter();
        InetAddress host = InetAddress.getLoopbackAddress();
        try (Selector selector = Selector.open();
                ConnectionAttempts attempts = destination.newAttempts(
                        selector, new ManualClock(0), counter, new ReadBuffer(), new HttpFailures(""), List.of())) {
            attempts.found(List.of(new InetSocketAddress(host, 1), new InetSocketAddress(host, 2)));
            Link link = new Link(attempts, IGNORING);
            attempts.openFirst(
                    at -> {
                        if (attempts.address().equals(new InetSocketAddress(host, 1))) {
                            attempts.failed(link, HttpFailures.CONNECT_TIMED_OUT);
                        } else {
                            attempts.opened(link, false);
                        }
                    },
                    until -> {});
        }
        assertThat(counter.targetCounts().unreached()).containsExactly(Map.entry("127.0.0.1:1: connect timed out", 1L));
    }

    @Test
    void a_request_waits_for_a_look_up_from_the_start_of_the_attempt() throws Exception {
        ManualClock clock = new ManualClock(0);
        try (Selector selector = Selector.open();
                ConnectionAttempts attempts = newAttempts(selector, clock)) {
            Link link = new Link(attempts, IGNORING);
            Exchange exchange = new Exchange(0);
            exchange.begin(0, 0, 0);
            clock.advanceNanos(200);
            link.open(200);
            clock.advanceNanos(30);
            link.lookedUp(1, new IOException("none"));
            link.charge(exchange, 230);
            assertThat(exchange.lookupNanos).isEqualTo(30);
            assertThat(exchange.connectNanos).isZero();
        }
    }

    /** Begun at 100, connected by 130; its user may send from 150 on, as over HTTP/2 once the settings have come. */
    @ParameterizedTest(name = "begun at {0}, ready at {1}")
    @CsvSource({"100, 130, 30", "110, 130, 20", "100, 150, 50", "140, 150, 10", "90, 130, 30"})
    void a_request_pays_for_what_it_has_waited_for_of_a_connect(long startedAt, long readyAt, long connectNanos)
            throws Exception {
        ManualClock clock = new ManualClock(130);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Selector selector = Selector.open();
                ConnectionAttempts attempts =
                        newAttempts("http://127.0.0.1:" + server.getLocalPort() + "/", selector, clock)) {
            Link link = new Link(attempts, IGNORING);
            link.open(100);
            while (!link.isOpen()) {
                assertThat(Thread.currentThread().isInterrupted())
                        .as("timed out")
                        .isFalse();
                selector.select(key -> link.ready());
            }
            assertThat(link.openedAt()).isEqualTo(130);
            Exchange exchange = new Exchange(0);
            exchange.begin(startedAt, startedAt, startedAt);
            link.charge(exchange, readyAt);
            assertThat(exchange.connectNanos).isEqualTo(connectNanos);
            assertThat(exchange.lookupNanos + exchange.handshakeNanos).isZero();
            link.close();
        }
    }

    @Test
    void an_answer_for_an_abandoned_attempt_is_not_taken_by_the_next_one() throws Exception {
        try (Selector selector = Selector.open();
                ConnectionAttempts attempts = newAttempts(selector, NanoClock.system())) {
            Link link = new Link(attempts, IGNORING);
            link.open(0); // no address is known yet: it waits for a lookup
            link.close();
            link.open(0);
            link.lookedUp(1, new IOException("stale"));
            assertThat(link.timedOut()).isEqualTo(HttpFailures.LOOKUP_TIMED_OUT);
            link.lookedUp(2, new IOException("fresh"));
            assertThat(link.isOpening()).isFalse();
        }
    }
}
