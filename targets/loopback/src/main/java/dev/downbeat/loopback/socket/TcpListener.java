package dev.downbeat.loopback.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Listens on a port of 127.0.0.1. */
public final class TcpListener implements Listener {
    private final ServerSocket socket;
    private final @Nullable SSLSocketFactory tls;

    public TcpListener(int port, int acceptQueue, @Nullable SSLSocketFactory tls) throws IOException {
        this.tls = tls;
        socket = new ServerSocket();
        try {
            // Allows a port with lingering old connections.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address(), port), acceptQueue);
        } catch (IOException e) {
            socket.close();
            throw new IOException("cannot listen on 127.0.0.1 port " + port + ": " + e.getMessage(), e);
        }
    }

    public static InetAddress address() throws IOException {
        return InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
    }

    @Override
    public AcceptedWire accept() throws IOException {
        Socket accepted = socket.accept();
        try {
            return new TcpWire(accepted, tls);
        } catch (IOException e) {
            accepted.close();
            throw e;
        }
    }

    @Override
    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public String uri() {
        return (tls == null ? "http" : "https") + "://127.0.0.1:" + port() + "/";
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
