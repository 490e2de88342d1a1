package dev.downbeat.loopback.options;

import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The behaviour of the server. Immutable and thread-safe. Created by {@link #builder()}, which has the defaults; every
 * component is an independent option.
 *
 * @param port TCP port on 127.0.0.1, 0 for any free one
 * @param unixSocket path of a Unix socket to listen on instead of TCP
 * @param tls whether to use TLS
 * @param certificateKey key type of the TLS certificate
 * @param delay service time of a request
 * @param concurrency maximum number of requests in service, with others waiting in order of arrival; 0 for no limit
 * @param stalls when the server stalls, counted from the first request received, an origin that the client also knows; a
 *     response due within a stall is sent at its end
 * @param closeAfter number of requests after which the server closes a connection, 0 for never
 * @param closeNotice whether the last response before such a close says {@code Connection: close}
 * @param bodyBytes length of the body, 0 to 100 MiB
 * @param status status code, 200 to 599; 204 and 304 are sent without a body
 * @param misbehaviour deviation from plain responses
 * @param bodyTimeNanos time over which {@link Misbehaviour#SLOW_BODY} spreads the body, 1 ns to 24 h
 * @param seed random seed: the n-th accepted connection always draws the same delays
 * @param acceptQueue length of the accept queue, 1 to 65535; the kernel may reduce it
 * @param connectDelayNanos time until the server reads from a new connection, which delays a TLS handshake and the first
 *     request; up to 24 h
 * @param instances instances started on demand; replaces the concurrency limit
 * @param http2 HTTP/2 behaviour
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

    /** A builder with the defaults: any free port, immediate responses {@code ok}, persistent connections. */
    public static Builder builder() {
        return new Builder();
    }

    public static LoopbackOptions defaults() {
        return builder().build();
    }

    /**
     * Parses a whole number.
     *
     * @param thing name of the quantity, for the message
     * @throws IllegalArgumentException if it is none, or no {@code int}
     */
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

    /** A builder; {@link #build()} validates all options together. Not thread-safe. */
    public static final class Builder {
        private int port;
        private Optional<Path> unixSocket = Optional.empty();
        private boolean tls;
        private CertificateKey certificateKey = CertificateKey.RSA;
        private ServiceLaw delay = ServiceLaw.NONE;
        private int concurrency;
        private List<Stall> stalls = List.of();
        private int closeAfter;
        private boolean closeNotice = true;
        private int bodyBytes = 2;
        private int status = 200;
        private Misbehaviour misbehaviour = Misbehaviour.NONE;
        private long bodyTimeNanos = 1_000_000_000L;
        private long seed = 1;
        private int acceptQueue = 1024;
        private long connectDelayNanos;
        private Instances instances = Instances.NONE;
        private Http2Conduct http2 = Http2Conduct.USUAL;

        private Builder() {}

        /** The TCP port on 127.0.0.1; the default 0 selects a free one. */
        public Builder port(int value) {
            port = value;
            return this;
        }

        /** Listens on a Unix socket at this path, which must not exist; it is deleted on close. */
        public Builder unixSocket(Path value) {
            unixSocket = Optional.of(value);
            return this;
        }

        /** Whether to use TLS 1.2 and 1.3, with a certificate created at start; the default is false. */
        public Builder tls(boolean value) {
            tls = value;
            return this;
        }

        /** The key type of the TLS certificate; the default is RSA. */
        public Builder certificateKey(CertificateKey value) {
            certificateKey = value;
            return this;
        }

        /** The service time of a request; none by default. */
        public Builder delay(ServiceLaw value) {
            delay = value;
            return this;
        }

        /** The maximum number of requests in service; the default 0 sets no limit. */
        public Builder concurrency(int value) {
            concurrency = value;
            return this;
        }

        /** When the server stalls, from the first request on; never by default. */
        public Builder stalls(List<Stall> value) {
            stalls = value;
            return this;
        }

        /** Closes each connection after this many requests; never for the default 0. */
        public Builder closeAfter(int value) {
            closeAfter = value;
            return this;
        }

        /** Whether the last response before such a close announces it; the default is true. */
        public Builder closeNotice(boolean value) {
            closeNotice = value;
            return this;
        }

        /** The length of the body in bytes; the default is 2, for {@code ok}. */
        public Builder bodyBytes(int value) {
            bodyBytes = value;
            return this;
        }

        /** The status code; the default is 200. */
        public Builder status(int value) {
            status = value;
            return this;
        }

        /** The deviation from plain responses; none by default. */
        public Builder misbehaviour(Misbehaviour value) {
            misbehaviour = value;
            return this;
        }

        /** The time over which a slow body is spread; the default is 1 s. */
        public Builder bodyTimeNanos(long value) {
            bodyTimeNanos = value;
            return this;
        }

        /** The random seed; the default is 1. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** The length of the accept queue; the default is 1024. */
        public Builder acceptQueue(int value) {
            acceptQueue = value;
            return this;
        }

        /** The time until the server reads from a new connection; none by default. */
        public Builder connectDelayNanos(long value) {
            connectDelayNanos = value;
            return this;
        }

        /** Instances started on demand; none by default. */
        public Builder instances(Instances value) {
            instances = value;
            return this;
        }

        /** HTTP/2 behaviour; the default is that of most servers. */
        public Builder http2(Http2Conduct value) {
            http2 = value;
            return this;
        }

        /**
         * Builds the options.
         *
         * @throws IllegalArgumentException with one line, if a value is out of range or two options contradict each
         *     other
         */
        public LoopbackOptions build() {
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
        /** The behaviour of most servers. */
        public static final Http2Conduct USUAL = new Http2Conduct(128, 65_535, 0);

        public Http2Conduct {
            if (maxStreams < 0 || maxStreams > 1_000_000) {
                throw new IllegalArgumentException("max-streams must be from 0 to 1000000, but was " + maxStreams);
            }
            if (windowBytes < 0) {
                throw new IllegalArgumentException("window must be from 0 to 2147483647, but was " + windowBytes);
            }
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
        /** A server without instances. */
        public static final Instances NONE = new Instances(1_000, 0, Durations.LONGEST_NANOS);

        public Instances {
            if (most < 1 || most > 100_000) {
                throw new IllegalArgumentException("instances must be from 1 to 100000, but was " + most);
            }
            Durations.check("cold", coldNanos, 0);
            Durations.check("scale-to-zero", idleNanos, 1);
            if (coldNanos == 0 && (most != 1_000 || idleNanos != Durations.LONGEST_NANOS)) {
                throw new IllegalArgumentException(
                        "instances and scale-to-zero say which starts there are but not how long they take: add cold");
            }
        }

        public boolean areAny() {
            return coldNanos > 0;
        }
    }
}
