package dev.downbeat.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.options.LoopbackOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnixSocketTest {
    @TempDir
    private Path directory;

    @Test
    void it_is_served_like_a_port_and_deleted_at_close() throws Exception {
        Path path = directory.resolve("s");
        try (LoopbackServer server = LoopbackServer.start(options(path))) {
            assertThat(server.uri()).isEqualTo("unix:" + path + ":/");
            assertThatThrownBy(server::port).isInstanceOf(IllegalStateException.class);
            try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
                client.write(ByteBuffer.wrap(
                        (RawClient.GET + "GET / HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII)));
                InputStream in = Channels.newInputStream(client);
                assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
                        .contains("\r\n\r\nokHTTP/1.1 200 OK")
                        .endsWith("\r\n\r\nok");
            }
            server.refuse();
            assertThatThrownBy(() -> SocketChannel.open(UnixDomainSocketAddress.of(path)))
                    .isInstanceOf(IOException.class);
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void a_file_that_exists_is_left_alone() throws Exception {
        Path path = Files.writeString(directory.resolve("file"), "mine");

        assertThatThrownBy(() -> LoopbackServer.start(options(path)))
                .isInstanceOf(IOException.class)
                .hasMessage("cannot listen on Unix socket " + path + ": the file exists, delete it or name another");
        assertThat(path).hasContent("mine");
    }

    @Test
    void a_path_that_cannot_be_is_named() {
        Path path = directory.resolve("x".repeat(200));

        assertThatThrownBy(() -> LoopbackServer.start(options(path)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("cannot listen on Unix socket " + path + ": ");
    }

    @Test
    void connections_end_even_if_the_file_cannot_be_deleted() throws Exception {
        Path path = directory.resolve("s");
        LoopbackServer server = LoopbackServer.start(options(path));
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            client.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(1);
            Files.delete(path);
            Files.writeString(Files.createDirectory(path).resolve("file"), "in the way");

            assertThatThrownBy(server::close).isInstanceOf(UncheckedIOException.class);
            assertThat(server.openConnections()).isZero();
        }
    }

    private static LoopbackOptions options(Path path) {
        return LoopbackOptions.of(draft -> draft.unixSocket = Optional.of(path));
    }
}
