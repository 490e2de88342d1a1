package dev.downbeat.http.options;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import java.net.IDN;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of an HTTP service and a resource on it. Immutable, thread-safe.
 *
 * @param tls whether the connection is encrypted
 * @param host name or address; "localhost" for a Unix socket
 * @param port from 1 to 65535; 0 for a Unix socket
 * @param unixSocket the path of the Unix socket, if it is one
 * @param path absolute path in wire format; empty if only a connection is requested
 * @param query query in wire format; empty if there is no question mark
 */
public record HttpEndpoint(
        boolean tls, String host, int port, Optional<Path> unixSocket, String path, Optional<Secret> query) {
    private static final String ACCEPTED = "http://HOST[:PORT]/PATH, https://HOST[:PORT]/PATH or unix:/SOCKET:/PATH";

    /** Not a host name by RFC 952, but a valid service name in Compose: {@code my_app:8080}. */
    private static final Pattern SERVICE_NAME = Pattern.compile("([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

    /** {@code http//HOST}, {@code http:/HOST} or {@code http:HOST}: a scheme with a missing character. */
    private static final Pattern BROKEN_SCHEME = Pattern.compile("(?i)(https?)(?::/?|//?|;//)([^/:;].*)");

    /** A non-ASCII character, raw or percent-encoded. */
    private static final String FOREIGN = "(?:[^\\x00-\\x7f]|%[89a-f][0-9a-f])";

    private static final Pattern FOREIGN_HOST = Pattern.compile("(?i)(https?://)([^/?#:@]*" + FOREIGN + "[^/?#:@]*)");

    private static final Pattern ONLY_CONNECTED = Pattern.compile("(?i)(connect|tls):");

    private static final Pattern SCRIPT =
            Pattern.compile("(?i)[^:]*\\.(?:js|mjs|ts|lua|py|scala|kt|java|jmx|sh|yml|yaml)");

    /**
     * Parses {@code http://...}, {@code https://...} or {@code unix:/socket:/path}.
     *
     * @throws IllegalArgumentException with one line that names the error, the value and the accepted forms
     */
    public static HttpEndpoint parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (isOnlyConnected(text)) {
            return parseConnected(text, lower.startsWith("tls:"));
        }
        if (lower.startsWith("unix:")) {
            return parseUnix(text);
        }
        if (!lower.startsWith("http://") && !lower.startsWith("https://")) {
            int end = lower.indexOf("://");
            throw refused(
                    text,
                    end > 0 ? "scheme '" + lower.substring(0, end) + "' is not supported" : "no scheme" + meant(text));
        }
        if (lower.matches("https?://(/.*)?")) {
            throw refused(text, "no host");
        }
        URI uri;
        try {
            uri = new URI(new URI(inAscii(text)).toASCIIString());
        } catch (URISyntaxException broken) {
            boolean isBlank = broken.getIndex() >= 0
                    && Character.isWhitespace(broken.getInput().charAt(broken.getIndex()));
            throw refused(text, isBlank ? "contains a space (write %20)" : broken.getReason());
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (authority.contains("@")) {
            throw refused(text, "contains a user name (send it in a header)");
        }
        Matcher named = SERVICE_NAME.matcher(authority);
        boolean isName = uri.getHost() == null && named.matches();
        String host = isName ? named.group(1) : uri.getHost();
        if (host == null) {
            throw refused(text, "no host, or a port that is not a number");
        }
        boolean tls = lower.startsWith("https:");
        int said = !isName ? uri.getPort() : named.group(2) == null ? -1 : Integer.parseInt(named.group(2));
        int port = said >= 0 ? said : tls ? 443 : 80;
        if (port < 1 || port > 65_535) {
            throw refused(text, "port " + port + " is not from 1 to 65535");
        }
        // the zone of an IPv6 address may be given as in RFC 6874, fe80::1%25eth0, or as elsewhere
        String bare =
                host.startsWith("[") ? host.substring(1, host.length() - 1).replaceFirst("%25(?=.)", "%") : host;
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        Optional<Secret> query = Optional.ofNullable(uri.getRawQuery()).map(Secret::of);
        return new HttpEndpoint(tls, bare, port, Optional.empty(), path, query);
    }

    /** The URL with its host name in ASCII (RFC 5891): {@code http://xn--bcher-kva.example/}. */
    private static String inAscii(String text) {
        Matcher host = FOREIGN_HOST.matcher(text);
        if (!host.lookingAt()) {
            return text;
        }
        try {
            return host.group(1)
                    + IDN.toASCII(URLDecoder.decode(host.group(2), StandardCharsets.UTF_8))
                    + text.substring(host.end());
        } catch (IllegalArgumentException unknown) {
            throw refused(text, "not a host name");
        }
    }

    /** Whether a text is {@code connect:HOST:PORT} or {@code tls:HOST:PORT}, which only open connections. */
    public static boolean isOnlyConnected(String text) {
        return ONLY_CONNECTED.matcher(text).lookingAt();
    }

    private static HttpEndpoint parseConnected(String text, boolean tls) {
        String rest = ONLY_CONNECTED.matcher(text).replaceFirst("");
        if (!tls && rest.startsWith("/")) {
            return new HttpEndpoint(false, "localhost", 0, Optional.of(Path.of(rest)), "", Optional.empty());
        }
        if (!rest.matches("([^/?#@:]+|\\[[^/?#@]+\\]):[0-9]{1,5}")) {
            throw new IllegalArgumentException("target '" + Redaction.word(text)
                    + "': HOST:PORT must follow (accepted: connect:HOST:PORT, tls:HOST:PORT or connect:/SOCKET)");
        }
        HttpEndpoint there = parse((tls ? "https://" : "http://") + rest);
        return new HttpEndpoint(tls, there.host, there.port, Optional.empty(), "", Optional.empty());
    }

    public boolean isOnlyConnected() {
        return path.isEmpty();
    }

    /** A correction for the scheme, if the text looks like a URL without one; empty otherwise. */
    private static String meant(String text) {
        Matcher scheme = BROKEN_SCHEME.matcher(text);
        if (scheme.matches()) {
            return ": write " + scheme.group(1).toLowerCase(Locale.ROOT) + "://" + scheme.group(2);
        }
        if (SCRIPT.matcher(text).matches()) {
            return ", and Downbeat runs no scripts: write the requests to a file, such as requests.http";
        }
        String authority = text.split("/", 2)[0];
        return SERVICE_NAME.matcher(authority).matches() ? ": write http://" + text : "";
    }

    private static HttpEndpoint parseUnix(String text) {
        String rest = text.substring("unix:".length());
        int colon = rest.indexOf(":/");
        String socket = colon < 0 ? rest : rest.substring(0, colon);
        String path = colon < 0 ? "/" : rest.substring(colon + 1);
        if (!socket.startsWith("/") || socket.length() < 2) {
            throw refused(text, "the socket must be an absolute path");
        }
        if (path.chars().anyMatch(c -> c <= ' ' || c == 127)) {
            throw refused(text, "white space in the path");
        }
        int question = path.indexOf('?');
        return new HttpEndpoint(
                false,
                "localhost",
                0,
                Optional.of(Path.of(socket)),
                question < 0 ? path : path.substring(0, question),
                question < 0 ? Optional.empty() : Optional.of(Secret.of(path.substring(question + 1))));
    }

    private static IllegalArgumentException refused(String text, String why) {
        return new IllegalArgumentException(
                "target '" + Redaction.word(text) + "': " + why + " (accepted: " + ACCEPTED + ")");
    }

    /** The value of the Host header. */
    public String authority() {
        if (unixSocket.isPresent()) {
            return host;
        }
        return port == (tls ? 443 : 80) ? bracketed() : authorityWithPort();
    }

    private String bracketed() {
        return host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    }

    private String authorityWithPort() {
        return bracketed() + ":" + port;
    }

    /** Whether it is certainly on this machine: a Unix socket, or a name or address of the loopback interface. */
    public boolean isLoopback() {
        return unixSocket.isPresent() || host.matches("(?i)localhost|127(\\.[0-9]+){3}|(0*:)+0*1");
    }

    /** The address for messages: {@code 127.0.0.1:8080} or the socket's path. */
    public String address() {
        return unixSocket.map(Path::toString).orElseGet(this::authorityWithPort);
    }

    /** Path and query in wire format, including secrets: never for a message. */
    public String resource() {
        return query.map(secret -> path + "?" + secret.reveal()).orElse(path);
    }

    /** The URL without secrets. */
    @Override
    public String toString() {
        if (isOnlyConnected()) {
            return (tls ? "tls:" : "connect:") + unixSocket.map(Path::toString).orElse(authorityWithPort());
        }
        String shown = Redaction.url(resource());
        return service() + (unixSocket.isPresent() ? ":" : "") + shown;
    }

    /** The URL without path and query. */
    public String service() {
        return unixSocket.map(socket -> "unix:" + socket).orElse((tls ? "https://" : "http://") + authority());
    }
}
