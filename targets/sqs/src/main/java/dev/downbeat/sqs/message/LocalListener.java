package dev.downbeat.sqs.message;

import dev.downbeat.time.Daemon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Listens on 127.0.0.1 and serves each connection on its own daemon thread until either side closes. */
public final class LocalListener implements AutoCloseable {
    private static final int MOST_WAITING = 100;

    private final ServerSocket server;
    private final String threads;
    private final Service service;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    /** Serves a connection; an exception ends it. */
    public interface Service {
        void serve(Socket socket) throws IOException;
    }

    private LocalListener(ServerSocket server, String threads, Service service) {
        this.server = server;
        this.threads = threads;
        this.service = service;
    }

    public static LocalListener start(String threads, Service service) throws IOException {
        ServerSocket server = new ServerSocket(0, MOST_WAITING, InetAddress.getLoopbackAddress());
        LocalListener listener = new LocalListener(server, threads, service);
        listener.start(listener::accept);
        return listener;
    }

    private void start(Runnable work) {
        Daemon.start(threads, work);
    }

    public int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                sockets.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            sockets.forEach(LocalListener::close);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            service.serve(socket);
        } catch (IOException over) {
            // The connection has ended.
        } finally {
            sockets.remove(socket);
        }
    }

    static void close(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception ignored) {
            // It is closed either way.
        }
    }

    @Override
    public void close() {
        close(server);
        sockets.forEach(LocalListener::close);
    }
}
