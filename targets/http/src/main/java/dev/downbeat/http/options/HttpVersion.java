package dev.downbeat.http.options;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which version of HTTP is spoken. */
public enum HttpVersion {
    /** What the server chooses of both, over TLS; HTTP/1.1 without. */
    AUTO("auto"),
    /** One request at a time on each connection. */
    HTTP_1_1("1.1"),
    /** Many requests at a time on each connection; without TLS by prior knowledge. */
    HTTP_2("2");

    private final String word;

    HttpVersion(String word) {
        this.word = word;
    }

    /** As a user says it. */
    public String word() {
        return word;
    }

    /** What a TLS handshake offers (ALPN, RFC 7301). */
    public List<String> offered() {
        return switch (this) {
            case AUTO -> List.of("h2", "http/1.1");
            case HTTP_1_1 -> List.of();
            case HTTP_2 -> List.of("h2");
        };
    }

    /** What a user means; empty if it is none. */
    public static Optional<HttpVersion> of(String word) {
        return Arrays.stream(values()).filter(one -> one.word.equals(word)).findFirst();
    }
}
