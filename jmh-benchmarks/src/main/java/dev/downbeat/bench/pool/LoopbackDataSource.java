package dev.downbeat.bench.pool;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A database for the eyes of a JDBC pool only: its connections are sockets to a loopback server, which take 30 to 60 ms to
 * make, as long as users of MySQL report with TLS and authentication. A query is a request to the server; nothing else of
 * JDBC does anything. Thread-safe.
 */
record LoopbackDataSource(URI service) implements DataSource {
    private static final long LEAST_CONNECT_MILLIS = 30;
    private static final long MOST_CONNECT_MILLIS = 60;

    /** What a connection is unwrapped to. Not thread-safe. */
    interface Session {
        /** Waits for the service's answer. */
        void query() throws IOException;
    }

    @Override
    public Connection getConnection() throws SQLException {
        try {
            Socket socket = new Socket(service.getHost(), service.getPort());
            socket.setTcpNoDelay(true);
            TimeUnit.MILLISECONDS.sleep(
                    ThreadLocalRandom.current().nextLong(LEAST_CONNECT_MILLIS, MOST_CONNECT_MILLIS + 1));
            return connection(socket);
        } catch (IOException refused) {
            throw new SQLException(refused);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new SQLException(stopped);
        }
    }

    private Connection connection(Socket socket) throws IOException {
        InputStream in = new BufferedInputStream(socket.getInputStream());
        byte[] request =
                ("GET / HTTP/1.1\r\nHost: " + service.getAuthority() + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        Session session = () -> {
            socket.getOutputStream().write(request);
            readAnswer(in);
        };
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> answer(method, socket, session));
    }

    private static @Nullable Object answer(Method method, Socket socket, Session session) throws IOException {
        return switch (method.getName()) {
            case "unwrap" -> session;
            case "isValid", "isWrapperFor", "getAutoCommit" -> true;
            case "isClosed" -> socket.isClosed();
            case "close", "abort" -> {
                socket.close();
                yield null;
            }
            case "hashCode" -> System.identityHashCode(socket);
            case "toString" -> "loopback connection";
            default -> method.getReturnType() == int.class ? 0 : method.getReturnType() == boolean.class ? false : null;
        };
    }

    /** Head, then as many bytes as it says. */
    private static void readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the server closed");
            }
            head.append((char) next);
        }
        String length = head.toString().replaceFirst("(?is).*content-length: *([0-9]+).*", "$1");
        in.skipNBytes(Integer.parseInt(length));
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {}

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("no logger");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLException("wraps nothing");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
