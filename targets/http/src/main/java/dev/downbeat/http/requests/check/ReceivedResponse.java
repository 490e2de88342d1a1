package dev.downbeat.http.requests.check;

import dev.downbeat.http.message.RequestWriter.ResponseSink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The part of a response stored for checks and captures: its header fields, and the first mebibyte of its body. Reused
 * for each response. Not thread-safe.
 */
public final class ReceivedResponse implements ResponseSink {
    private static final int MOST_BYTES = 1 << 20;
    private static final int PART_BYTES = 1 << 13;
    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([^\\s;\"]+)");

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

    /** The body as text in the charset that its header names, or else in UTF-8; empty if its coding is corrupt. */
    public String body() {
        boolean isPacked = header("Content-Encoding")
                .filter(coding -> coding.matches("(?i)(x-)?gzip"))
                .isPresent();
        return (isPacked ? unpacked() : body).toString(charset());
    }

    private Charset charset() {
        return header("Content-Type")
                .map(CHARSET::matcher)
                .filter(Matcher::find)
                .map(named -> known(named.group(1)))
                .orElse(StandardCharsets.UTF_8);
    }

    private static Charset known(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException unknown) {
            return StandardCharsets.UTF_8;
        }
    }

    private ByteArrayOutputStream unpacked() {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] part = new byte[PART_BYTES];
        try (GZIPInputStream packed = new GZIPInputStream(new ByteArrayInputStream(body.toByteArray()))) {
            int read;
            do {
                read = packed.read(part, 0, Math.min(part.length, MOST_BYTES - plain.size()));
                plain.write(part, 0, Math.max(0, read));
            } while (read > 0);
        } catch (IOException corrupt) {
            if (body.size() < MOST_BYTES) {
                plain.reset();
            } // otherwise it was cut here, and what came before holds
        }
        return plain;
    }
}
