package dev.downbeat.http.options;

import dev.downbeat.exchange.Redaction;
import dev.downbeat.exchange.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An HTTP proxy: it forwards {@code http://} requests and tunnels encrypted connections.
 *
 * @param host a name or an address
 * @param port from 1 to 65535
 * @param credentials {@code user:password}, if required
 */
public record Proxy(String host, int port, Optional<Secret> credentials) {
    private static final Pattern SHAPE =
            Pattern.compile("(?:(\\w+)://)?(?:([^@/]*)@)?([^:@/\\[\\]]+|\\[[^\\]]+\\]):(\\d{1,5})/?");

    public Proxy {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be from 1 to 65535, but was " + port);
        }
    }

    /**
     * Parses {@code http://[USER:PASSWORD@]HOST:PORT}; the scheme is optional.
     *
     * @throws IllegalArgumentException with one line, without the password
     */
    public static Proxy parse(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches() || (shape.group(1) != null && !shape.group(1).equalsIgnoreCase("http"))) {
            throw new IllegalArgumentException(
                    "a proxy must be http://[USER:PASSWORD@]HOST:PORT, but was '" + Redaction.word(text) + "'");
        }
        return new Proxy(
                shape.group(3).replaceAll("[\\[\\]]", ""),
                Integer.parseInt(shape.group(4)),
                Optional.ofNullable(shape.group(2)).map(Secret::of));
    }

    /** The authorization header line; empty without credentials. */
    public String line() {
        return credentials
                .map(pair -> "Proxy-Authorization: Basic "
                        + Base64.getEncoder().encodeToString(pair.reveal().getBytes(StandardCharsets.UTF_8))
                        + "\r\n")
                .orElse("");
    }

    /** {@code proxy.example:3128}. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
