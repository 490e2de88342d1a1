package dev.downbeat.audit.format;

import dev.downbeat.audit.AuditFinding;
import dev.downbeat.audit.ResultCollector;
import dev.downbeat.audit.format.Cells.Names;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** JMeter's XML results. Only the outer one of nested samples counts, since users wait for it. */
final class JtlXml implements Format {
    private static final long MILLI = 1_000_000L;
    private static final int LONGEST_TAG = 1 << 16;

    @Override
    public String name() {
        return "JMeter JTL (XML)";
    }

    @Override
    public boolean recognises(String head) {
        return head.contains("<testResults");
    }

    @Override
    public void read(Source source, ResultCollector into) throws IOException {
        into.resolutionNanos(MILLI);
        source.number(1);
        try {
            samples(source, into);
        } catch (EOFException cutOff) {
            if (into.count() == 0) {
                throw cutOff;
            }
            into.finding(AuditFinding.note(
                    AuditFinding.Kind.CUT_OFF,
                    "line " + source.number(),
                    "</testResults> is missing: JMeter was interrupted"));
        }
    }

    private static void samples(Source source, ResultCollector into) throws IOException {
        Names users = new Names();
        Names labels = new Names();
        int depth = 0;
        for (String tag = tag(source); !tag.isEmpty(); tag = tag(source)) {
            boolean isSample = tag.startsWith("httpSample") || tag.startsWith("sample");
            if (isSample && depth == 0) {
                Map<String, String> named = attributes(tag);
                String thread = named.getOrDefault("tn", "");
                into.request(
                        Math.multiplyExact(whole(named, "ts"), MILLI),
                        Math.multiplyExact(whole(named, "t"), MILLI),
                        thread.isEmpty() ? -1 : users.of(thread),
                        "false".equals(named.get("s")),
                        named.containsKey("lb") ? labels.of(named.get("lb")) : -1);
            }
            if (isSample && !tag.endsWith("/")) {
                depth++;
            } else if (tag.startsWith("/httpSample") || tag.startsWith("/sample")) {
                depth--;
            } else if (tag.startsWith("/testResults")) {
                return;
            }
        }
        throw new EOFException("</testResults> is missing");
    }

    private static long whole(Map<String, String> named, String name) {
        String value = named.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a sample has no " + name);
        }
        return Long.parseLong(value);
    }

    /** The content of the next tag; empty at the end. */
    private static String tag(Source source) throws IOException {
        int c = source.read();
        while (c >= 0 && c != '<') {
            source.number(source.number() + (c == '\n' ? 1 : 0));
            c = source.read();
        }
        if (c < 0) {
            return "";
        }
        StringBuilder tag = new StringBuilder();
        int quote = 0;
        for (c = source.need(); c != '>' || quote != 0; c = source.need()) {
            source.number(source.number() + (c == '\n' ? 1 : 0));
            if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            }
            tag.append((char) c);
            if (tag.length() > LONGEST_TAG) {
                throw new IOException("a tag is longer than " + LONGEST_TAG + " characters");
            }
            if (tag.length() == 3 && tag.toString().equals("!--")) {
                skipComment(source);
                return "!";
            }
        }
        return new String(tag.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static void skipComment(Source source) throws IOException {
        int dashes = 0;
        for (int c = source.need(); c != '>' || dashes < 2; c = source.need()) {
            dashes = c == '-' ? dashes + 1 : 0;
        }
    }

    private static Map<String, String> attributes(String tag) {
        Map<String, String> named = new HashMap<>();
        int at = tag.indexOf(' ');
        while (at >= 0 && at < tag.length()) {
            int equals = tag.indexOf('=', at);
            if (equals < 0 || equals + 1 >= tag.length()) {
                return named;
            }
            int end = tag.indexOf(tag.charAt(equals + 1), equals + 2);
            if (end < 0) {
                throw new IllegalArgumentException("an attribute is not closed");
            }
            named.put(tag.substring(at, equals).strip(), tag.substring(equals + 2, end));
            at = end + 1;
        }
        return named;
    }
}
