package dev.downbeat.http.requests;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.ResponseSink;
import dev.downbeat.http.options.HttpEndpoint;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Redirect targets of one lane's requests, and how far each was followed. A redirect to another service is not
 * followed, because that would measure a different service. Not thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#section-15.4">RFC 9110, redirection</a>
 */
final class Redirects {
    private static final Set<String> OF_BODY =
            Set.of("content-length", "content-type", "content-encoding", "content-language", "content-location");
    private static final Outcome ELSEWHERE = Outcome.failed("redirect to another service");
    private static final Outcome NOWHERE = Outcome.failed("redirect to something that is not a URL");

    private final Function<Exchange, HttpEndpoint> serviceOf;
    private final int most;
    private final Outcome tooMany;
    private final @Nullable Hop[] bySlot;

    /** The state of the request in a slot; created on first use. */
    private static final class Hop implements ResponseSink {
        private @Nullable ResponseSink inner;
        private @Nullable String location;

        /** The last redirect target; null for the original. */
        private @Nullable String resource;

        private boolean asGet;
        private boolean isPending;
        private int followed;

        @Override
        public void line(byte[] text, int from, int to) {
            if (to - from > 5 && text[from] == 'H' && text[from + 4] == '/') {
                location = null; // a status line: an interim response may have had a location
            } else if (isLocation(text, from, to)) {
                location = new String(text, from + 9, to - from - 9, StandardCharsets.ISO_8859_1).strip();
            }
            if (inner != null) {
                inner.line(text, from, to);
            }
        }

        private static boolean isLocation(byte[] text, int from, int to) {
            if (to - from < 10 || text[from + 8] != ':') {
                return false;
            }
            for (int i = 0; i < 8; i++) {
                if ((text[from + i] | 0x20) != "location".charAt(i)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            if (inner != null) {
                inner.body(bytes, from, to);
            }
        }
    }

    /**
     * The state of one lane.
     *
     * @param serviceOf the service of a request
     * @param most maximum number of redirects per request, at least 1
     */
    Redirects(Function<Exchange, HttpEndpoint> serviceOf, int most, int capacity) {
        this.serviceOf = serviceOf;
        this.most = most;
        this.tooMany = Outcome.failed("more than " + most + (most == 1 ? " redirect" : " redirects"));
        this.bySlot = new Hop[capacity];
    }

    private Hop hop(Exchange exchange) {
        Hop hop = bySlot[exchange.slot];
        if (hop == null) {
            hop = new Hop();
            bySlot[exchange.slot] = hop;
        }
        return hop;
    }

    /** A new request begins in its slot. */
    void begin(Exchange exchange) {
        Hop hop = hop(exchange);
        hop.resource = null;
        hop.asGet = false;
        hop.isPending = false;
        hop.followed = 0;
    }

    /** Watches the response for its redirect target, and passes it on. */
    ResponseSink sink(Exchange exchange, @Nullable ResponseSink inner) {
        Hop hop = hop(exchange);
        hop.inner = inner;
        hop.location = null;
        return hop;
    }

    /**
     * Detects a redirect and decides its outcome.
     *
     * @param original the original request
     * @param usual the outcome if it is followed
     * @return null if the response is not a redirect
     */
    @Nullable
    Outcome judge(Exchange exchange, Function<Exchange, String> original, Outcome usual) {
        Hop hop = hop(exchange);
        String location = hop.location;
        boolean redirects = switch (exchange.status) {
            case 301, 302, 303, 307, 308 -> true;
            default -> false;
        };
        if (!redirects || location == null) {
            return null;
        }
        if (hop.followed >= most) {
            return tooMany;
        }
        HttpEndpoint service = serviceOf.apply(exchange);
        String request = original.apply(exchange);
        String base = hop.resource == null ? request.split(" ", 3)[1] : hop.resource;
        String to;
        try {
            URI resolved = URI.create("http://h" + base).resolve(location.replace(" ", "%20"));
            boolean isElsewhere = !location.startsWith("/")
                    && resolved.isAbsolute()
                    && !resolved.toString().startsWith("http://h/");
            if (location.startsWith("//") || isElsewhere) {
                String scheme = service.tls() ? "https:" : "http:";
                HttpEndpoint other = HttpEndpoint.parse(location.startsWith("//") ? scheme + location : location);
                if (other.tls() != service.tls()
                        || other.port() != service.port()
                        || !other.host().equalsIgnoreCase(service.host())) {
                    return ELSEWHERE;
                }
                to = other.resource();
            } else {
                String path = resolved.getRawPath();
                to = (path.isEmpty() ? "/" : path)
                        + (resolved.getRawQuery() == null ? "" : "?" + resolved.getRawQuery());
            }
        } catch (IllegalArgumentException none) {
            return NOWHERE;
        }
        hop.resource = to;
        hop.asGet |= exchange.status == 303 || (exchange.status <= 302 && request.startsWith("POST "));
        hop.isPending = true;
        return usual;
    }

    /** Whether there is a follow-up request. */
    boolean isPending(Exchange exchange) {
        return hop(exchange).isPending;
    }

    /**
     * Writes the follow-up request.
     *
     * @param original the original request, one byte per character
     */
    void write(Exchange exchange, String original, RequestBytes into) {
        Hop hop = hop(exchange);
        hop.isPending = false;
        hop.followed++;
        int end = original.indexOf("\r\n\r\n");
        String[] lines = original.substring(0, end).split("\r\n", -1);
        String method = lines[0].substring(0, lines[0].indexOf(' '));
        StringBuilder text = new StringBuilder(hop.asGet && !method.equals("HEAD") ? "GET" : method);
        text.append(' ').append(hop.resource).append(" HTTP/1.1\r\n");
        for (int i = 1; i < lines.length; i++) {
            String name =
                    lines[i].substring(0, Math.max(0, lines[i].indexOf(':'))).toLowerCase(Locale.ROOT);
            if (!hop.asGet || !OF_BODY.contains(name)) {
                text.append(lines[i]).append("\r\n");
            }
        }
        text.append("\r\n").append(hop.asGet ? "" : original.substring(end + 4));
        into.append(text.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
}
