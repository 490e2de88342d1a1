package dev.downbeat.http.requests.check;

import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * The part of a response stored for checks and captures: its header fields, and the first mebibyte of its body. Reused
 * for each response. Not thread-safe.
 */
public final class ReceivedResponse implements ResponseSink {
    private static final int MOST_BYTES = 1 << 20;

    private final List<String> fields = new ArrayList<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean keepsBody;

    /** Resets for another response. */
    public void begin(boolean withBody) {
        fields.clear();
        body.reset();
        keepsBody = withBody;
    }

    @Override
    public void line(byte[] text, int from, int to) {
        String line = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
        if (line.startsWith("HTTP/")) {
            fields.clear(); // drop the fields of an interim response
        } else {
            fields.add(line);
        }
    }

    @Override
    public void body(byte[] bytes, int from, int to) {
        if (keepsBody) {
            body.write(bytes, from, Math.min(to - from, MOST_BYTES - body.size()));
        }
    }

    Optional<String> header(String name) {
        return headers(name).stream().findFirst();
    }

    public List<String> headers(String name) {
        String begin = name.toLowerCase(Locale.ROOT) + ":";
        return fields.stream()
                .filter(field -> field.toLowerCase(Locale.ROOT).startsWith(begin))
                .map(field -> field.substring(begin.length()).strip())
                .toList();
    }

    /** Its content coding, if {@link #body} cannot undo it. */
    public Optional<String> foreignCoding() {
        return header("Content-Encoding")
                .filter(coding -> !coding.matches("(?i)(x-)?gzip|identity|"))
                .map(coding -> coding.matches("[\\w-]{1,16}") ? coding : "another coding");
    }

    public String body() {
        if (header("Content-Encoding")
                .filter(coding -> coding.matches("(?i)(x-)?gzip"))
                .isEmpty()) {
            return body.toString(StandardCharsets.UTF_8);
        }
        try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(body.toByteArray()))) {
            return new String(plain.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
        } catch (IOException corrupt) {
            return "";
        }
    }
}
