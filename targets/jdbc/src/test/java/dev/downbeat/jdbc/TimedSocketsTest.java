package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TimedSocketsTest {
    private static final int HOUR = 3_600_000;

    private final long begunAt = System.nanoTime();
    private final TimedSockets.Attempt attempt = TimedSockets.begin();
    private ServerSocket silent;
    private Socket socket;

    @BeforeEach
    void open() throws IOException {
        silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        socket = new TimedSockets().createSocket();
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        silent.close();
    }

    private Integer read() {
        try {
            return socket.getInputStream().read();
        } catch (IOException thrown) {
            throw new UncheckedIOException(thrown);
        }
    }

    @Test
    void a_login_under_a_limit_ends_by_that_alone() throws Exception {
        attempt.limited(HOUR);
        socket.connect(silent.getLocalSocketAddress(), HOUR);
        socket.setSoTimeout(1);
        assertThat(socket.getSoTimeout()).isEqualTo(1);
        CompletableFuture<Integer> reading = CompletableFuture.supplyAsync(this::read);
        assertThatThrownBy(() -> reading.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        attempt.giveUp();
        assertThatThrownBy(() -> reading.get(10, TimeUnit.SECONDS)).hasRootCauseInstanceOf(SocketException.class);
    }

    @Test
    void a_limit_of_reads_holds_after_the_login() throws IOException {
        attempt.limited(HOUR);
        socket.connect(silent.getLocalSocketAddress(), HOUR);
        socket.setSoTimeout(1);
        attempt.ended();
        assertThatThrownBy(this::read).hasCauseInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void without_a_limit_of_the_attempt_that_of_the_driver_holds() throws IOException {
        socket.connect(silent.getLocalSocketAddress(), HOUR);
        socket.setSoTimeout(1);
        assertThatThrownBy(this::read).hasCauseInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void an_attempt_abandoned_before_its_lookup_does_not_connect() {
        attempt.limited(HOUR);
        attempt.giveUp();
        assertThatThrownBy(() -> socket.connect(silent.getLocalSocketAddress(), HOUR))
                .isInstanceOf(SocketException.class);
    }

    @Test
    void the_drivers_limit_counts_only_if_shorter() {
        assertThat(attempt.connectMillis(500)).isEqualTo(500);
        attempt.limited(1_000);
        assertThat(attempt.connectMillis(0)).isZero();
        assertThat(attempt.connectMillis(1_000)).isZero();
        assertThat(attempt.connectMillis(500)).isEqualTo(500);
    }

    @Test
    void an_attempt_knows_the_port_and_the_times_of_its_socket() throws IOException {
        assertThat(attempt.localPort()).isZero();
        assertThat(attempt.connectNanos()).isZero();
        socket.connect(silent.getLocalSocketAddress(), HOUR);
        assertThat(attempt.localPort()).isEqualTo(socket.getLocalPort()).isPositive();
        assertThat(attempt.connectNanos()).isPositive();
        assertThat(attempt.lookupNanos()).isNotNegative();
        assertThat(attempt.lookupNanos() + attempt.connectNanos()).isLessThan(System.nanoTime() - begunAt);
        assertThat(TimedSockets.begin().localPort())
                .as("the next attempt has its own")
                .isZero();
    }
}
