package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions.Proxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a proxy answers to CONNECT, and what is passed on of the wire behind it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Timeout(20)
class TunnelTest {
    private static final int LONGEST_HEAD = 8 * 1024;

    private ServerSocketChannel listening;
    private SocketChannel channel;
    private SocketChannel proxy;

    @BeforeEach
    void connect() throws IOException {
        listening = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        channel = SocketChannel.open(listening.getLocalAddress());
        proxy = listening.accept();
    }

    @AfterEach
    void close() throws IOException {
        proxy.close();
        channel.close();
        listening.close();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String read(SocketChannel from, int most) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(most);
        from.read(into);
        return new String(into.array(), 0, into.position(), StandardCharsets.ISO_8859_1);
    }

    private Wire tunnel() {
        return new Wire.Tunnel(channel, new Wire.Plain(channel), bytes("CONNECT h:1"));
    }

    private Wire answered(String answer) throws IOException {
        proxy.write(bytes(answer));
        proxy.shutdownOutput();
        return tunnel();
    }

    @Test
    void what_follows_the_answer_belongs_to_the_service() throws IOException {
        channel.configureBlocking(false);
        Wire tunnel = tunnel();
        assertThat(tunnel.handshake()).as("not answered yet").isFalse();
        assertThat(read(proxy, 100)).isEqualTo("CONNECT h:1");
        proxy.write(bytes("HTTP/1.0 299 Through\r\nVia: p\r\n\r\nhello"));
        channel.configureBlocking(true);
        assertThat(tunnel.handshake()).isTrue();
        assertThat(tunnel.handshake()).as("once is enough").isTrue();
        ByteBuffer into = ByteBuffer.allocate(100);
        assertThat(tunnel.read(into)).isEqualTo("hello".length());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "HTTP/1.1 407 Who are you~~, 'the proxy refused, status 407'",
        "HTTP/1.1 300 Elsewhere~~, 'the proxy refused, status 300'",
        "HTTP/1.1 199 Early~~, 'the proxy refused, status 199'",
        "SSH-2.0-OpenSSH~~, the proxy does not speak http/1.1",
        "HTTP/1.1~~, the proxy does not speak http/1.1",
        "HTTP/1.1 200 OK~, the proxy closed the connection",
        "'', the proxy closed the connection",
    })
    void an_answer_that_opens_no_tunnel_is_named(String answer, String why) throws IOException {
        Wire tunnel = answered(answer.replace("~", "\r\n"));
        assertThatThrownBy(tunnel::handshake).isInstanceOf(IOException.class).hasMessage(why);
    }

    @Test
    void a_head_of_8_KiB_is_read_and_no_longer_one() throws IOException {
        String head = "HTTP/1.1 200 OK\r\nVia: ";
        String longest = head + "p".repeat(LONGEST_HEAD - head.length() - 4);
        assertThat(answered(longest + "\r\n\r\n").handshake()).isTrue();
        close();
        connect();
        assertThatThrownBy(answered(longest + "p\r\n\r\n")::handshake).hasMessage("the proxy does not speak http/1.1");
    }

    @Test
    void the_request_names_the_service_and_the_user() {
        HttpEndpoint service = HttpEndpoint.parse("https://[::1]:8443/");
        assertThat(new String(
                        Wire.Tunnel.connectRequest(service, Proxy.parse("http://ann:pw@p:3128")),
                        StandardCharsets.ISO_8859_1))
                .isEqualTo("CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\n"
                        + "Proxy-Authorization: Basic YW5uOnB3\r\n\r\n");
        assertThat(new String(
                        Wire.Tunnel.connectRequest(HttpEndpoint.parse("https://h/"), Proxy.parse("p:3128")),
                        StandardCharsets.ISO_8859_1))
                .isEqualTo("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n");
    }

    /** The end of a body without a length counts only if the service itself has made it. */
    @Test
    void a_tunnel_ends_as_the_wire_in_it_ends() throws IOException {
        boolean[] isReleased = {false};
        Wire cut = new Wire() {
            @Override
            public boolean write(ByteBuffer from) {
                return false;
            }

            @Override
            public int read(ByteBuffer into) {
                return 7;
            }

            @Override
            public boolean flush() {
                return false;
            }

            @Override
            public boolean resumed() {
                return true;
            }

            @Override
            public String protocol() {
                return "h2";
            }

            @Override
            public boolean ended() {
                return true;
            }

            @Override
            public boolean endIsGenuine() {
                return false;
            }

            @Override
            public void release() {
                isReleased[0] = true;
            }
        };
        Wire tunnel = new Wire.Tunnel(channel, cut, ByteBuffer.allocate(0));
        assertThat(tunnel.endIsGenuine()).isFalse();
        assertThat(tunnel.ended()).isTrue();
        assertThat(tunnel.resumed()).isTrue();
        assertThat(tunnel.protocol()).isEqualTo("h2");
        assertThat(tunnel.flush()).isFalse();
        assertThat(tunnel.write(ByteBuffer.allocate(1))).isFalse();
        assertThat(tunnel.read(ByteBuffer.allocate(1))).isEqualTo(7);
        tunnel.release();
        assertThat(isReleased[0]).isTrue();
    }

    @Test
    void a_plain_wire_is_ready_at_once_and_ends_as_its_sender_ends() throws IOException {
        Wire plain = new Wire.Plain(channel);
        assertThat(plain.handshake() && plain.flush() && plain.endIsGenuine()).isTrue();
        assertThat(plain.ended() || plain.resumed()).isFalse();
        assertThat(plain.protocol()).isEmpty();
        assertThat(plain.write(bytes("hello"))).isTrue();
        assertThat(read(proxy, 100)).isEqualTo("hello");
        proxy.close();
        assertThat(plain.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }
}
