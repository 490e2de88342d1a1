package dev.downbeat.http.message;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.SafeText;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.options.HttpEndpoint;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A repeatable request. Immutable; encoded once, so that sending only copies bytes. Thread-safe. */
public final class HttpRequest {
    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final HttpEndpoint endpoint;
    private final String method;
    private final List<Header> headers;
    private final byte[] body;

    /**
     * A header line.
     *
     * @param name a token of RFC 9110
     * @param value without line breaks; never displayed unless {@link Redaction} considers the name harmless
     */
    public record Header(String name, Secret value) {
        /** Rejects values that would be read as another header. */
        public Header {
            if (!TOKEN.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "header name '" + start(name) + "' is not a token (letters, digits, -)");
            }
            if (value.reveal().chars().anyMatch(c -> c == '\r' || c == '\n' || c == 0)) {
                throw new IllegalArgumentException("the value of header " + name + " must not contain line breaks");
            }
        }

        /** A header with a plain value. */
        public Header(String name, String value) {
            this(name, Secret.of(value));
        }

        /** The part before the first non-token character, since a value may follow. */
        private static String start(String name) {
            Matcher token = TOKEN.matcher(name);
            return (token.lookingAt() ? token.group() : "") + "...";
        }

        /** Parses {@code Name: value}. */
        public static Header parse(String line) {
            int colon = line.indexOf(':');
            if (colon < 1) {
                throw new IllegalArgumentException(
                        "a header must be 'Name: value', but one has no " + (colon < 0 ? "colon" : "name"));
            }
            return new Header(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }

        /** {@code Accept: text/html}, {@code Cookie: ***}. */
        @Override
        public String toString() {
            return Redaction.header(name, value.reveal());
        }
    }

    private HttpRequest(HttpEndpoint endpoint, String method, List<Header> headers, byte[] body) {
        this.endpoint = endpoint;
        this.method = method;
        this.headers = headers;
        this.body = body;
    }

    /** A GET request without a body. */
    public static HttpRequest get(String url) {
        return of("GET", HttpEndpoint.parse(url), List.of(), new byte[0]);
    }

    /**
     * Creates a request.
     *
     * @param method a token, case-sensitive
     * @param headers added to the default headers (Host, User-Agent, Accept, Content-Length), or replacing them
     * @param body empty for none
     */
    public static HttpRequest of(String method, HttpEndpoint endpoint, List<Header> headers, byte[] body) {
        Objects.requireNonNull(endpoint, "endpoint");
        checkMethod(method);
        return new HttpRequest(endpoint, method, withDefaults(endpoint, headers), body.clone());
    }

    /** Rejects a method that would be read as another request. */
    public static void checkMethod(String method) {
        if (!TOKEN.matcher(method).matches()) {
            throw new IllegalArgumentException(
                    "method '" + SafeText.line(method) + "' is not a token (accepted: GET, POST, ...)");
        }
    }

    public HttpEndpoint endpoint() {
        return endpoint;
    }

    /** Whether it has {@code Connection: close}. */
    public boolean closesConnection() {
        return headers.stream().anyMatch(HttpRequest::isConnectionClose);
    }

    /** Whether a header is {@code Connection: close}. */
    public static boolean isConnectionClose(Header header) {
        return header.name().equalsIgnoreCase("Connection")
                && hasCloseOption(header.value().reveal());
    }

    /** Whether the value of a Connection header has the option {@code close} (RFC 9112, 9.6). */
    public static boolean hasCloseOption(String connection) {
        return Arrays.stream(connection.split(","))
                .anyMatch(option -> option.strip().equalsIgnoreCase("close"));
    }

    /**
     * The bytes on the wire.
     *
     * @param close whether to ask the server to close the connection after the response
     */
    public byte[] encode(boolean close) {
        List<Header> all = new ArrayList<>(headers);
        if (body.length > 0 || method.equals("POST") || method.equals("PUT") || method.equals("PATCH")) {
            all.add(new Header("Content-Length", Integer.toString(body.length)));
        }
        if (close && !has(headers, "Connection")) {
            all.add(new Header("Connection", "close"));
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes((method + ' ' + endpoint.resource() + " HTTP/1.1\r\n" + lines(all) + "\r\n")
                .getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }

    /**
     * The default headers that are not given, and the given ones.
     *
     * @throws IllegalArgumentException if one would announce another body than the request's
     */
    public static List<Header> withDefaults(HttpEndpoint endpoint, List<Header> given) {
        for (Header header : given) {
            String name = header.name().toLowerCase(Locale.ROOT);
            if (name.equals("content-length") || name.equals("transfer-encoding")) {
                throw new IllegalArgumentException("header " + header.name() + " is set from the body; leave it out");
            }
        }
        List<Header> all = new ArrayList<>(given);
        addUnlessGiven(all, "Accept", "*/*");
        addUnlessGiven(all, "User-Agent", "downbeat");
        addUnlessGiven(all, "Host", endpoint.authority());
        return all;
    }

    private static void addUnlessGiven(List<Header> all, String name, String value) {
        if (!has(all, name)) {
            all.add(0, new Header(name, value));
        }
    }

    private static boolean has(List<Header> headers, String name) {
        return headers.stream().anyMatch(header -> header.name().equalsIgnoreCase(name));
    }

    /** Header lines in wire format. */
    public static String lines(List<Header> headers) {
        StringBuilder lines = new StringBuilder();
        headers.forEach(header -> lines.append(header.name())
                .append(": ")
                .append(header.value().reveal())
                .append("\r\n"));
        return lines.toString();
    }

    /** The method and the URL, without secrets. */
    @Override
    public String toString() {
        return endpoint.isOnlyConnected() ? endpoint.toString() : method + " " + endpoint;
    }
}
