package dev.downbeat.bench.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.bench.client.HttpCaller;
import dev.downbeat.bench.connection.ClientConnections.Case;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The server's count of connections is that of the case. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClientConnectionsTest {
    private static final int PART = 100;

    @ParameterizedTest
    @EnumSource(names = {"JDK", "APACHE5", "OKHTTP", "SDK_NETTY", "SDK_CRT"})
    void a_client_keeps_its_connection_and_opens_another_when_it_is_closed(HttpCaller.Library library)
            throws Exception {
        ClientConnections kept = ClientConnections.run(library, Case.KEPT, PART);
        // AWS CRT completes the response before it returns the connection, so the next request may open a second one
        assertThat(kept.connections()).isLessThanOrEqualTo(1);
        assertThat(kept.requests()).isGreaterThan(5);
        assertThat(kept.failed()).isZero();
        ClientConnections each = ClientConnections.run(library, Case.NEW, PART);
        assertThat(each.failed()).isZero();
        assertThat(each.connections())
                .isBetween(each.requests() - 1L, each.requests() + 1L); // one may not have been accepted yet
        assertThat(ClientConnections.run(library, Case.FIRST, PART).micros()).hasSize(1);
    }
}
