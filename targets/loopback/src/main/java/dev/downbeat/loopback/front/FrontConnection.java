package dev.downbeat.loopback.front;

import dev.downbeat.loopback.socket.AcceptedWire;
import dev.downbeat.loopback.socket.DueTime;
import dev.downbeat.loopback.socket.TcpListener;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Forwards one connection's requests to the backend, sequentially, over a separate connection. */
final class FrontConnection implements Runnable {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);

    private final AcceptedWire wire;
    private final FrontOptions options;
    private final RandomGenerator random;
    private final DueTime dueTime = new DueTime();
    private @Nullable Backend backend;

    /** An open connection to the backend. */
    private record Backend(Socket socket, InputStream in) {
        static Backend connect(int port) throws IOException {
            Socket socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(TcpListener.address(), port));
            return new Backend(socket, new BufferedInputStream(socket.getInputStream()));
        }

        @Nullable
        HttpMessage ask(HttpMessage request) throws IOException {
            request.write(socket.getOutputStream(), false);
            return HttpMessage.read(in);
        }
    }

    /** @param random the connection's own random generator */
    FrontConnection(AcceptedWire wire, FrontOptions options, RandomGenerator random) {
        this.wire = wire;
        this.options = options;
        this.random = random;
    }

    @Override
    public void run() {
        try (wire) {
            dueTime.await(System.nanoTime() + options.opening().nextNanos(random));
            serve();
        } catch (IOException | NumberFormatException e) {
            // One side left or sent invalid data, or the front is closing: there is no one to notify.
        } finally {
            disconnect();
        }
    }

    /** Ends the connection from another thread. */
    void close() {
        wire.close();
    }

    private void serve() throws IOException {
        InputStream in = new BufferedInputStream(wire.in());
        OutputStream out = wire.out();
        int life = options.closing().next(random);
        for (int served = 1; served <= life; served++) {
            HttpMessage request = HttpMessage.read(in);
            if (request == null) {
                return;
            }
            if (request.expectsContinue() && request.body().isEmpty()) {
                out.write(CONTINUE);
            }
            long arrivedAt = System.nanoTime();
            HttpMessage response = ask(request);
            dueTime.await(arrivedAt + options.answering().nextNanos(random));
            boolean announced =
                    request.wantsClose() || (served == life && options.closing().notice());
            response.write(out, announced);
            if (announced) {
                wire.finish();
                return;
            }
        }
    }

    /** Retries once on a new connection if the backend has closed the old one. */
    private HttpMessage ask(HttpMessage request) throws IOException {
        Backend open = backend;
        if (open != null) {
            try {
                HttpMessage response = open.ask(request);
                if (response != null) {
                    return answered(response);
                }
            } catch (IOException closed) {
                // as if it had announced the close
            }
            disconnect();
        }
        Backend fresh = Backend.connect(options.backendPort());
        backend = fresh;
        HttpMessage response = fresh.ask(request);
        if (response == null) {
            throw new IOException("the backend closed instead of answering");
        }
        return answered(response);
    }

    private HttpMessage answered(HttpMessage response) {
        if (response.wantsClose()) {
            disconnect();
        }
        return response;
    }

    private void disconnect() {
        Backend open = backend;
        backend = null;
        if (open != null) {
            try {
                open.socket().close();
            } catch (IOException gone) {
                // That was the goal.
            }
        }
    }
}
