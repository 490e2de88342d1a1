package dev.downbeat.junit;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.time.DurationText;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/** The service to compare a load test with. A jar, whose process was started here, runs until this is closed. */
record OtherBuild(URI service, Optional<Process> process) implements AutoCloseable {
    private static final String PROPERTY = "-Ddownbeat.against=";
    private static final List<String> HTTP = List.of("http", "https");
    private static final Path SHELL = Path.of("/bin/sh");
    private static final int PATIENCE_MILLIS = 1_000;

    /** A lost first packet of a connection is sent again after 1 s, and after 2 s more. */
    private static final int CONNECT_MILLIS = 5_000;

    private static final int LEAST_FAILURE = 500;
    private static final int NO_ANSWER = Integer.MAX_VALUE;
    private static final long POLL_NANOS = 50_000_000;

    /**
     * Starts or finds the build that the property names.
     *
     * @throws ExtensionConfigurationException with one line if it is invalid or does not become ready
     */
    static OtherBuild open(String given, Against against) {
        if (given.startsWith("http://") || given.startsWith("https://")) {
            URI service = uri(lead(given), given);
            if (service.getHost() == null) {
                throw refused(given, "it names no host");
            }
            String reason = unreachableReason(service, CONNECT_MILLIS);
            if (!reason.isEmpty()) {
                throw refused(given, reason);
            }
            return new OtherBuild(service, Optional.empty());
        }
        Path jar = given.startsWith(BaseBranch.PREFIX) ? ofBranch(given) : Path.of(given);
        if (!jar.toString().endsWith(".jar") || !Files.isRegularFile(jar)) {
            throw refused(
                    given,
                    "it must be a URL, a jar that exists, or git:BRANCH (an image is started by the build, and its URL"
                            + " given)");
        }
        try {
            return started(jar, against);
        } catch (IOException failed) {
            throw refused(given, "it cannot be started: " + failed.getMessage());
        }
    }

    private static Path ofBranch(String given) {
        try {
            return new BaseBranch(
                            Path.of("").toAbsolutePath(),
                            Reports.folder().resolve("against").toAbsolutePath())
                    .jar(given.substring(BaseBranch.PREFIX.length()));
        } catch (IOException failed) {
            throw refused(given, String.valueOf(failed.getMessage()));
        }
    }

    /** The URL of the service under test, with system properties substituted. */
    static URI own(Against against) {
        String where = "@Against(serviceUrl = \"" + against.serviceUrl() + "\"): ";
        URI own = uri(where, WatchSettings.substituted(against.serviceUrl(), where, name -> {
            throw new ExtensionConfigurationException(where + "there is no system property '" + name + "'");
        }));
        if (!HTTP.contains(String.valueOf(own.getScheme())) || own.getRawAuthority() == null) {
            throw new ExtensionConfigurationException(where + "it must be an http or https URL with a host");
        }
        return own;
    }

    private static URI uri(String where, String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException none) { // its message repeats the text, which may hold a password
            throw new ExtensionConfigurationException(where + "it is not a URL: " + none.getReason());
        }
    }

    private static ExtensionConfigurationException refused(String given, String why) {
        return new ExtensionConfigurationException(lead(given) + why);
    }

    private static String lead(String given) {
        return PROPERTY + Redaction.word(given) + ": ";
    }

    private static OtherBuild started(Path jar, Against against) throws IOException {
        int port = freePort();
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar", jar.toString()));
        for (String argument : against.arguments()) {
            command.add(argument.replace("{port}", Integer.toString(port)));
        }
        URI service = URI.create("http://127.0.0.1:" + port);
        String where = "@Against(ready = \"" + against.ready() + "\"): ";
        URI ready = service.resolve(uri(where, against.ready()));
        if (!HTTP.contains(ready.getScheme())) {
            throw new ExtensionConfigurationException(where + "it must be a path or an HTTP URL");
        }
        long limitNanos = startNanos(against);
        Path log = Reports.folder().resolve("against.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        guard(process);
        OtherBuild build = new OtherBuild(service, Optional.of(process));
        long startedAt = System.nanoTime();
        for (int status = status(ready); status >= LEAST_FAILURE; status = status(ready)) {
            boolean isLate = System.nanoTime() - startedAt > limitNanos;
            if (isLate || !process.isAlive() || Thread.currentThread().isInterrupted()) {
                String why = isLate
                        ? (status == NO_ANSWER ? "no answer" : "not ready: status " + status) + " within "
                                + against.startsWithin()
                        : process.isAlive() ? "interrupted while waiting for it" : "the process exited";
                build.close();
                throw new IOException(why + "; its output is in " + log);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return build;
    }

    /**
     * Ends a process once this one has ended, even if killed; otherwise it would keep its port and memory. A shell
     * waits for the end of its input, which comes from this process. Without a shell, such as on Windows, this does
     * nothing.
     *
     * @return the shell
     */
    static Optional<Process> guard(Process started) {
        if (!Files.isExecutable(SHELL)) {
            return Optional.empty();
        }
        try {
            Process shell = new ProcessBuilder(
                            SHELL.toString(), "-c", "read gone; kill -9 \"$0\"", Long.toString(started.pid()))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            started.onExit().thenRun(shell::destroyForcibly);
            return Optional.of(shell);
        } catch (IOException failed) {
            return Optional.empty();
        }
    }

    /** How long a jar may take to start. */
    static long startNanos(Against against) {
        try {
            return DurationText.parseNanos(against.startsWithin());
        } catch (IllegalArgumentException none) {
            throw new ExtensionConfigurationException("@Against(startsWithin): " + none.getMessage());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Why nothing can be measured there; empty if it accepts connections. */
    static String unreachableReason(URI service, int patienceMillis) {
        int port =
                service.getPort() >= 0 ? service.getPort() : service.getScheme().equals("https") ? 443 : 80;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(service.getHost(), port), patienceMillis);
            return "";
        } catch (SocketTimeoutException unresponsive) {
            return "it does not answer";
        } catch (UnknownHostException unknown) {
            return "its host is unknown";
        } catch (IOException failure) {
            return "nothing is listening there";
        } catch (IllegalArgumentException noPort) {
            return String.valueOf(noPort.getMessage());
        }
    }

    private static int status(URI path) {
        try {
            HttpURLConnection connection = (HttpURLConnection) path.toURL().openConnection();
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            int status = connection.getResponseCode();
            return status < 0 ? NO_ANSWER : status; // not HTTP
        } catch (IOException notYet) {
            return NO_ANSWER;
        }
    }

    @Override
    public void close() {
        process.ifPresent(started -> {
            started.destroy();
            try {
                if (!started.waitFor(10, TimeUnit.SECONDS)) {
                    started.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                started.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        });
    }
}
