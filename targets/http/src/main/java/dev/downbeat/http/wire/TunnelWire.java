package dev.downbeat.http.wire;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.Proxy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * A wire through a proxy tunnel, opened with CONNECT. Its time is part of the handshake.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6">RFC 9110, CONNECT</a>
 */
final class TunnelWire implements Wire {
    private static final int LONGEST_HEAD = 8 * 1024;
    private static final int STATUS_AT = "HTTP/1.1 ".length();

    private final SocketChannel channel;
    private final Wire inner;
    private final ByteBuffer asking;
    private final StringBuilder head = new StringBuilder();
    private final ByteBuffer one = ByteBuffer.allocate(1);
    private boolean isThrough;

    /**
     * Over a connection to the proxy.
     *
     * @param asking the CONNECT request in wire format, with a position of its own
     */
    TunnelWire(SocketChannel channel, Wire inner, ByteBuffer asking) {
        this.channel = channel;
        this.inner = inner;
        this.asking = asking;
    }

    @Override
    public String protocol() {
        return inner.protocol();
    }

    @Override
    public boolean handshake() throws IOException {
        if (!isThrough) {
            isThrough = flush() && hasAnswered();
        }
        return isThrough && inner.handshake();
    }

    /** One byte at a time, because data after the head belongs to the service. */
    private boolean hasAnswered() throws IOException {
        while (head.length() < LONGEST_HEAD) {
            int read = channel.read(one.clear());
            if (read <= 0) {
                if (read < 0) {
                    throw new IOException("the proxy closed the connection");
                }
                return false;
            }
            head.append((char) (one.get(0) & 0xFF));
            if (head.length() > 3 && head.indexOf("\r\n\r\n", head.length() - 4) >= 0) {
                refuseUnlessThrough();
                return true;
            }
        }
        throw new IOException("the proxy does not speak http/1.1");
    }

    private void refuseUnlessThrough() throws IOException {
        boolean isHttp = head.indexOf("HTTP/1.") == 0 && head.length() > STATUS_AT + 3;
        String status = isHttp ? head.substring(STATUS_AT, STATUS_AT + 3) : "";
        if (!status.matches("2[0-9]{2}")) {
            throw new IOException(isHttp ? "the proxy refused, status " + status : "the proxy does not speak http/1.1");
        }
    }

    /** The CONNECT request for a service. */
    static byte[] asking(HttpEndpoint service, Proxy proxy) {
        String to =
                (service.host().indexOf(':') >= 0 ? "[" + service.host() + "]" : service.host()) + ":" + service.port();
        return ("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n" + proxy.line() + "\r\n")
                .getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public boolean resumed() {
        return inner.resumed();
    }

    @Override
    public boolean write(ByteBuffer from) throws IOException {
        return inner.write(from);
    }

    @Override
    public boolean flush() throws IOException {
        if (asking.hasRemaining()) {
            channel.write(asking);
            return !asking.hasRemaining();
        }
        return inner.flush();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return inner.read(into);
    }

    @Override
    public boolean ended() {
        return inner.ended();
    }

    @Override
    public boolean endIsGenuine() {
        return inner.endIsGenuine();
    }

    @Override
    public void release() {
        inner.release();
    }
}
