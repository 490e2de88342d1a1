package dev.downbeat.loopback.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A TCP connection, plain or TLS. The handshake happens at the first read, in the connection's thread. */
final class TcpWire implements AcceptedWire {
    private static final int FINISH_MILLIS = 200;

    private final Socket tcp;
    private final Socket spoken;

    TcpWire(Socket tcp, @Nullable SSLSocketFactory tls) throws IOException {
        this.tcp = tcp;
        tcp.setTcpNoDelay(true);
        if (tls == null) {
            spoken = tcp;
        } else {
            // Layered over the plain socket, which can be reset without a TLS close notice.
            SSLSocket secure =
                    (SSLSocket) tls.createSocket(tcp, tcp.getInetAddress().getHostAddress(), tcp.getPort(), true);
            secure.setUseClientMode(false);
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            secure.setSSLParameters(parameters);
            spoken = secure;
        }
    }

    @Override
    public InputStream in() throws IOException {
        return spoken.getInputStream();
    }

    @Override
    public OutputStream out() throws IOException {
        return spoken.getOutputStream();
    }

    @Override
    public void finish() throws IOException {
        spoken.shutdownOutput();
        if (spoken != tcp) {
            tcp.shutdownOutput();
        }
        tcp.setSoTimeout(FINISH_MILLIS);
        byte[] rest = new byte[4096];
        InputStream in = tcp.getInputStream();
        long endAt = System.nanoTime() + FINISH_MILLIS * 1_000_000L;
        while (in.read(rest) >= 0 && endAt - System.nanoTime() > 0) {
            // Further data is not needed.
        }
    }

    @Override
    public void reset() throws IOException {
        tcp.setSoLinger(true, 0);
        tcp.close();
    }

    @Override
    public void close() {
        try {
            spoken.close();
        } catch (IOException e) {
            // The client was faster.
        }
        try {
            tcp.close();
        } catch (IOException e) {
            // As above.
        }
    }
}
