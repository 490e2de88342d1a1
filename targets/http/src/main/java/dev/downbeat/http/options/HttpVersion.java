package dev.downbeat.http.options;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The HTTP version. */
public enum HttpVersion {
    /** The server's choice over TLS; HTTP/1.1 otherwise. */
    AUTO("auto"),
    /** One request at a time per connection. */
    HTTP_1_1("1.1"),
    /** Concurrent requests on each connection; without TLS by prior knowledge. */
    HTTP_2("2");

    private final String word;

    HttpVersion(String word) {
        this.word = word;
    }

    /** The version in command-line syntax. */
    public String word() {
        return word;
    }

    /** The protocols offered in a TLS handshake (ALPN, RFC 7301). */
    public List<String> offered() {
        return switch (this) {
            case AUTO -> List.of("h2", "http/1.1");
            case HTTP_1_1 -> List.of();
            case HTTP_2 -> List.of("h2");
        };
    }

    /** Parses a version; empty if unknown. */
    public static Optional<HttpVersion> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }
}
