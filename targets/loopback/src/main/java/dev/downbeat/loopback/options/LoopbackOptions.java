package dev.downbeat.loopback.options;

import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The behaviour of the server. Immutable and thread-safe. Created by {@link #of}; every component is an independent
 * option, documented at the fields of {@link Draft}.
 */
public record LoopbackOptions(
        int port,
        Optional<Path> unixSocket,
        boolean tls,
        CertificateKey certificateKey,
        ServiceLaw delay,
        int concurrency,
        List<Stall> stalls,
        int closeAfter,
        boolean closeNotice,
        int bodyBytes,
        int status,
        Misbehaviour misbehaviour,
        long bodyTimeNanos,
        long seed,
        int acceptQueue,
        long connectDelayNanos,
        Instances instances,
        Http2Conduct http2) {

    static final int LARGEST_BODY = 100 * 1024 * 1024;

    public LoopbackOptions {
        stalls = Stall.checked(stalls);
        checkedRange("port", port, 0, 65_535);
        checkedRange("concurrency", concurrency, 0, 100_000);
        checkedRange("close-after", closeAfter, 0, Integer.MAX_VALUE);
        checkedBodyBytes(bodyBytes);
        checkedStatus(status);
        checkedRange("accept-queue", acceptQueue, 1, 65_535);
        Durations.check("body-time", bodyTimeNanos, 1);
        Durations.check("connect-delay", connectDelayNanos, 0);
        refuse(
                instances.areAny() && (concurrency > 0 || !stalls.isEmpty()),
                "instances have no common queue and no stalls: leave out cold, or concurrency and stall");
        refuse(unixSocket.isPresent() && port != 0, "a Unix socket has no port: leave out unix-socket or port");
        refuse(unixSocket.isPresent() && tls, "TLS is served over TCP only: leave out unix-socket or tls");
        refuse(
                unixSocket.isPresent() && misbehaviour == Misbehaviour.RESET,
                "a Unix socket cannot be reset: leave out unix-socket or use close-without-answer");
        refuse(
                certificateKey != CertificateKey.RSA && !tls,
                "a certificate key is used with TLS only: add tls or leave out certificate");
        refuse(
                !closeNotice && closeAfter == 0,
                "close-silently says how to close but not when: add close-after or leave out close-silently");
        refuse(
                CannedResponse.isBodiless(status)
                        && (misbehaviour == Misbehaviour.HALF_ANSWER
                                || misbehaviour == Misbehaviour.SLOW_BODY
                                || misbehaviour == Misbehaviour.CHUNKED),
                "status " + status + " has no body, so it cannot be sent as " + misbehaviour.word());
    }

    /** The defaults with changes; contradictions and values out of range are refused in one line. */
    public static LoopbackOptions of(Consumer<Draft> changes) {
        Draft draft = new Draft();
        changes.accept(draft);
        return draft.options();
    }

    /** Any free port, immediate responses {@code ok}, persistent connections. */
    public static LoopbackOptions defaults() {
        return new Draft().options();
    }

    /** Parses an {@code int}; the message names the quantity. */
    public static int integer(String thing, String text) {
        try {
            long value = Long.parseLong(text);
            refuse(value != (int) value, thing + " must be from -2147483648 to 2147483647, but was " + value);
            return (int) value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(thing + " must be a whole number, but was " + Durations.quoted(text), e);
        }
    }

    public static int checkedStatus(int status) {
        return checkedRange("status", status, 200, 599);
    }

    public static int checkedBodyBytes(int bodyBytes) {
        return checkedRange("body-size", bodyBytes, 0, LARGEST_BODY);
    }

    private static int checkedRange(String thing, int value, int lowest, int highest) {
        if (value < lowest || value > highest) {
            throw new IllegalArgumentException(
                    thing + " must be from " + lowest + " to " + highest + ", but was " + value);
        }
        return value;
    }

    private static void refuse(boolean contradiction, String message) {
        if (contradiction) {
            throw new IllegalArgumentException(message);
        }
    }

    /** Mutable options with their defaults. Not thread-safe. */
    public static final class Draft {
        /** The TCP port on 127.0.0.1; 0 for any free one. */
        public int port;

        /** The path of a Unix socket to listen on instead of TCP; must not exist, and is deleted on close. */
        public Optional<Path> unixSocket = Optional.empty();

        /** Whether to use TLS 1.2 and 1.3, with a certificate created at start. */
        public boolean tls;

        public CertificateKey certificateKey = CertificateKey.RSA;

        public ServiceLaw delay = ServiceLaw.NONE;

        /** The maximum number of requests in service, with others waiting in order of arrival; 0 for no limit. */
        public int concurrency;

        /**
         * When the server stalls, counted from the first request received, an origin that the client also knows. A
         * response due within a stall is sent at its end.
         */
        public List<Stall> stalls = List.of();

        /** The number of requests after which the server closes a connection; 0 for never. */
        public int closeAfter;

        /** Whether the last response before such a close says {@code Connection: close}. */
        public boolean closeNotice = true;

        /** The length of the body, 0 to 100 MiB; the default is that of {@code ok}. */
        public int bodyBytes = 2;

        /** The status code, 200 to 599; 204 and 304 are sent without a body. */
        public int status = 200;

        public Misbehaviour misbehaviour = Misbehaviour.NONE;

        /** The time over which {@link Misbehaviour#SLOW_BODY} spreads the body, 1 ns to 24 h. */
        public long bodyTimeNanos = 1_000_000_000L;

        /** The random seed: the n-th accepted connection always draws the same delays. */
        public long seed = 1;

        /** The length of the accept queue, 1 to 65535; the kernel may reduce it. */
        public int acceptQueue = 1024;

        /**
         * The time until the server reads from a new connection, which delays a TLS handshake and the first request; up
         * to 24 h.
         */
        public long connectDelayNanos;

        /** Instances started on demand; replaces the concurrency limit. */
        public Instances instances = Instances.NONE;

        /** HTTP/2 behaviour; the default is that of most servers. */
        public Http2Conduct http2 = Http2Conduct.USUAL;

        private Draft() {}

        private LoopbackOptions options() {
            return new LoopbackOptions(
                    port,
                    unixSocket,
                    tls,
                    certificateKey,
                    delay,
                    concurrency,
                    stalls,
                    closeAfter,
                    closeNotice,
                    bodyBytes,
                    status,
                    misbehaviour,
                    bodyTimeNanos,
                    seed,
                    acceptQueue,
                    connectDelayNanos,
                    instances,
                    http2);
        }
    }

    /**
     * HTTP/2 behaviour. Immutable.
     *
     * @param maxStreams maximum number of concurrent requests per connection, 0 to 1,000,000
     * @param windowBytes receive window for request bodies, 0 to 2,147,483,647
     * @param settingsDelayNanos delay before its settings are sent, up to 24 h
     */
    public record Http2Conduct(int maxStreams, int windowBytes, long settingsDelayNanos) {
        public static final Http2Conduct USUAL = new Http2Conduct(128, 65_535, 0);

        public Http2Conduct {
            checkedRange("max-streams", maxStreams, 0, 1_000_000);
            checkedRange("window", windowBytes, 0, Integer.MAX_VALUE);
            Durations.check("settings-delay", settingsDelayNanos, 0);
        }
    }

    /**
     * Instances started on demand, as those of a cloud function. Each serves one request at a time. Immutable.
     *
     * @param most maximum number of instances, 1 to 100,000
     * @param coldNanos start time of an instance, up to 24 h; 0 for a server without instances
     * @param idleNanos time after which an idle instance ends, 1 ns to 24 h
     */
    public record Instances(int most, long coldNanos, long idleNanos) {
        public static final Instances NONE = new Instances(1_000, 0, Durations.LONGEST_NANOS);

        public Instances {
            checkedRange("instances", most, 1, 100_000);
            Durations.check("cold", coldNanos, 0);
            Durations.check("scale-to-zero", idleNanos, 1);
            refuse(
                    coldNanos == 0 && (most != 1_000 || idleNanos != Durations.LONGEST_NANOS),
                    "instances and scale-to-zero say which starts there are but not how long they take: add cold");
        }

        public boolean areAny() {
            return coldNanos > 0;
        }
    }
}
