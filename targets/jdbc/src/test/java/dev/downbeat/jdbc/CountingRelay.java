package dev.downbeat.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;

/** Passes one connection on to a server, and counts how often its client sends: a client that waits for answers, once each. */
final class CountingRelay implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final AtomicLong sent = new AtomicLong();

    CountingRelay(int to) throws IOException {
        start(() -> {
            try (Socket client = listening.accept();
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), to)) {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                start(() -> pass(server, client, new AtomicLong()));
                pass(client, server, sent);
            } catch (IOException closed) {
                // its test is over
            }
        });
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "relay");
        thread.setDaemon(true);
        thread.start();
    }

    private static void pass(Socket from, Socket to, AtomicLong count) {
        byte[] bytes = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(bytes); length > 0; length = in.read(bytes)) {
                count.incrementAndGet();
                out.write(bytes, 0, length);
            }
        } catch (IOException closed) {
            // one side has
        }
    }

    int port() {
        return listening.getLocalPort();
    }

    long sent() {
        return sent.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
