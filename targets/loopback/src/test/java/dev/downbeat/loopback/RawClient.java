package dev.downbeat.loopback;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends and shows bytes as they are. */
public final class RawClient implements Closeable {
    public static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private static final int PATIENCE_MILLIS = 10_000;

    private final Socket socket;

    public RawClient(int port) throws IOException {
        this(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    RawClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
    }

    /** The request for a target with the given query. */
    public static String get(String query) {
        return "GET /?" + query + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    public void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public void patience(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    /** One response with its head and the body that its Content-Length tells. */
    public String response() throws IOException {
        String head = head();
        int at = head.indexOf("Content-Length: ");
        int length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf('\r', at)));
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Everything up to and with the next empty line. */
    public String head() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = socket.getInputStream().read();
            if (b < 0) {
                throw new EOFException("closed after: " + head);
            }
            head.append((char) b);
        }
        return head.toString();
    }

    /** Everything until the server closes. */
    public String rest() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(all);
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    public String ask(String request) throws IOException {
        send(request);
        return response();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
