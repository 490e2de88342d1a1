package dev.downbeat.http.wire;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.h2.Http2Exception;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * The failure reasons, in as few words as needed. One instance each, so counting allocates nothing. Not thread-safe:
 * each lane has its own.
 */
public final class HttpFailures {
    static final Outcome LOOKUP_TIMED_OUT = Outcome.failed("name lookup timed out");
    static final Outcome CONNECT_TIMED_OUT = Outcome.failed("connect timed out");
    static final Outcome HANDSHAKE_TIMED_OUT = Outcome.failed("TLS handshake timed out");
    public static final Outcome CLOSED_BEFORE_RESPONSE = Outcome.failed("closed before a response");
    public static final Outcome KEPT_BUT_CLOSED = Outcome.failed("kept connection closed before a response");
    public static final Outcome CLOSED_IN_MID_RESPONSE = Outcome.failed("closed in mid-response");
    public static final Outcome BAD_LENGTH = Outcome.failed("bad response: content length");
    public static final Outcome SWITCHED = Outcome.failed("bad response: switched protocols");

    /** The server ignored the offer of HTTP/2 or refused it. */
    public static final Outcome NO_HTTP_2 = Outcome.failed(TlsReason.PREFIX + TlsReason.NO_HTTP_2);

    private static final int STATUSES = 1000;

    private static final String REFUSED = "connection refused";

    private final String service;
    private final Outcome[] byStatus = new Outcome[STATUSES];
    private final Map<String, Outcome> byReason = new HashMap<>();

    /**
     * Starts without failures.
     *
     * @param service prefix for "connection refused"; empty if the service is obvious
     */
    public HttpFailures(String service) {
        this.service = service;
    }

    /** 4xx and 5xx are failures; redirects are answered, since they are not followed. */
    Outcome ofStatus(int status) {
        if (status < 400) {
            return Outcome.answered();
        }
        Outcome known = byStatus[status];
        if (known == null) {
            known = Outcome.failedResponse("HTTP " + status);
            byStatus[status] = known;
        }
        return known;
    }

    /** The failure for an exception of a channel or of the TLS engine. */
    public Outcome of(IOException exception) {
        boolean isByPeer = exception instanceof Http2Exception; // in words of its own
        return (isByPeer ? Optional.<OwnLimit>empty() : OwnLimit.of(exception))
                .map(OwnLimit::outcome)
                .orElseGet(() -> byReason.computeIfAbsent(
                        reasonOf(exception),
                        reason -> Outcome.failed(reason.equals(REFUSED) ? service + reason : reason)));
    }

    /** Whether the server refused HTTP/2 in the TLS handshake. */
    static boolean isNoHttp2(IOException exception) {
        return exception instanceof SSLException failed && TlsReason.isNoHttp2(failed);
    }

    /** The failure to connect to an address, which it names; limits of this process are of no address. */
    Outcome at(InetSocketAddress address, Outcome why) {
        if (why.end() != Outcome.End.BROKEN) {
            return why;
        }
        return byReason.computeIfAbsent(why.reason() + " (" + Addresses.text(address) + ")", Outcome::failed);
    }

    /** Whether a Unix socket's accept queue is full: where TCP waits, Linux refuses at once (EAGAIN, unix(7)). */
    static boolean isQueueFull(IOException exception) {
        return String.valueOf(exception.getMessage())
                .toLowerCase(Locale.ROOT)
                .contains("resource temporarily unavailable");
    }

    static String reasonOf(IOException exception) {
        String message = exception.getMessage() == null ? "" : exception.getMessage();
        String lower = message.toLowerCase(Locale.ROOT);
        if (exception instanceof Http2Exception) {
            return message;
        }
        if (exception instanceof SSLException failed) {
            return TlsReason.PREFIX + TlsReason.of(failed);
        }
        if (lower.contains("connection reset") || lower.contains("broken pipe")) {
            return "connection reset";
        }
        if (exception instanceof ConnectException || lower.contains("connection refused")) {
            return lower.contains("timed out") ? CONNECT_TIMED_OUT.reason() : REFUSED;
        }
        return message.isEmpty() ? exception.getClass().getSimpleName() : lower;
    }
}
