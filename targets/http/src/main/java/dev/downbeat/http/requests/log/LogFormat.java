package dev.downbeat.http.requests.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The format of access log lines, in the notation of nginx ({@code log_format}), Apache ({@code LogFormat}) or Envoy:
 * the positions of time and request. Immutable, thread-safe.
 */
public final class LogFormat {
    private static final String COMMON = "%h %l %u %t \"%r\" %>s %b";

    /** Formats that are fixed: those of web servers, proxies and cloud load balancers. */
    private static final Map<String, String> NAMED = Map.of(
            "common",
            COMMON,
            "combined",
            COMMON + " \"%{Referer}i\" \"%{User-agent}i\"",
            "alb",
            "$type $time_iso8601 $rest\"$request_method $scheme://$host$request_uri $rest",
            "cloudfront", // the query is a field of its own, and is left out
            "$time_iso8601\t$edge\t$bytes\t$client\t$request_method\t$host\t$request_uri\t$rest",
            "caddy",
            "$rest\"ts\":$msec,$rest\"method\":\"$request_method\"$rest\"uri\":\"$request_uri\"$rest",
            "traefik",
            "$rest\"RequestMethod\":\"$request_method\"$rest\"RequestPath\":\"$request_uri\"$rest"
                    + "\"StartUTC\":\"$time_iso8601\"$rest");

    /** A field of Envoy, nginx or Apache; in this order, because two of them start with the same character. */
    private static final Pattern FIELD = Pattern.compile("%([A-Z][A-Z_0-9]+)(?:\\(([^)]*)\\))?(?::[0-9]+)?%"
            + "|\\$\\{?([a-zA-Z_0-9]+)\\}?"
            + "|%[!0-9,]*[<>]?(?:\\{([^}]*)\\})?(\\^?[a-zA-Z]{1,2})");

    private static final byte[] PATH_BEGINS = {'/'};

    private enum Kind {
        TIME,
        REQUEST,
        METHOD,
        PATH,
        OTHER
    }

    /** A field, and the text up to the next one or the end of the line. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Piece(Kind kind, byte[] after) {}

    private final String text;
    private final byte[] before;
    private final List<Piece> pieces;

    private LogFormat(String text, byte[] before, List<Piece> pieces) {
        this.text = text;
        this.before = before;
        this.pieces = List.copyOf(pieces);
    }

    /** The positions of a line's fields. Mutable, for one reader. */
    static final class Fields {
        int timeFrom;
        int timeTo;

        /** The start of the request, or of the path alone. */
        int requestFrom;

        int requestTo;

        /** The position of a separate method; both -1 if there is none. */
        int methodFrom;

        int methodTo;
    }

    /**
     * Parses a format, or a name of one: {@code common}, {@code combined}, {@code alb}, {@code cloudfront}, {@code
     * caddy}, {@code traefik} (the last two as JSON).
     *
     * @throws IllegalArgumentException if it lacks a time or a request, or has adjacent fields without a separator
     */
    public static LogFormat parse(String text) {
        String named = NAMED.get(text);
        String format = named == null ? text.replace("\\\"", "\"").replace("\\t", "\t") : named;
        List<Kind> kinds = new ArrayList<>();
        List<String> between = new ArrayList<>();
        Matcher field = FIELD.matcher(format);
        int from = 0;
        while (field.find()) {
            between.add(format.substring(from, field.start()));
            kinds.add(kind(field));
            from = field.end();
        }
        between.add(format.substring(from));
        check(text, kinds, between);
        List<Piece> pieces = new ArrayList<>();
        for (int i = 0; i < kinds.size(); ) {
            // the query of a path, such as %U%q
            boolean hasQuery = i + 1 < kinds.size() && between.get(i + 1).isEmpty() && kinds.get(i + 1) != Kind.PATH;
            int next = i + (hasQuery ? 2 : 1);
            pieces.add(new Piece(kinds.get(i), bytes(between.get(next))));
            i = next;
        }
        return new LogFormat(text, bytes(between.get(0)), pieces);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void check(String text, List<Kind> kinds, List<String> between) {
        Set<Kind> present = EnumSet.noneOf(Kind.class);
        present.addAll(kinds);
        if (!present.contains(Kind.TIME)) {
            throw new IllegalArgumentException("the log format '" + text
                    + "' has no time: $time_local, $time_iso8601, $msec, %t or %START_TIME% is one");
        }
        if (!present.contains(Kind.REQUEST) && !present.contains(Kind.PATH)) {
            throw new IllegalArgumentException("the log format '" + text
                    + "' has no request: $request, $request_uri, %r, %U or %REQ(:PATH)% is one");
        }
        for (int i = 1; i < kinds.size(); i++) {
            boolean isQuery = kinds.get(i - 1) == Kind.PATH && kinds.get(i) == Kind.OTHER;
            boolean isHost = kinds.get(i - 1) == Kind.OTHER && kinds.get(i) == Kind.PATH;
            if (between.get(i).isEmpty() && !isQuery && !isHost) {
                throw new IllegalArgumentException(
                        "the log format '" + text + "' has two fields without anything between them");
            }
        }
    }

    private static Kind kind(Matcher field) {
        if (field.group(1) != null) {
            String argument = field.group(2) == null ? "" : field.group(2);
            return switch (field.group(1)) {
                case "START_TIME" -> Kind.TIME;
                case "REQ" ->
                    argument.contains(":METHOD") ? Kind.METHOD : argument.contains(":PATH") ? Kind.PATH : Kind.OTHER;
                default -> Kind.OTHER;
            };
        }
        if (field.group(3) != null) {
            return switch (field.group(3)) {
                case "time_local", "time_iso8601", "msec" -> Kind.TIME;
                case "request" -> Kind.REQUEST;
                case "request_method" -> Kind.METHOD;
                case "request_uri", "uri" -> Kind.PATH;
                default -> Kind.OTHER;
            };
        }
        return switch (field.group(5)) {
            case "t" -> Kind.TIME;
            case "r" -> Kind.REQUEST;
            case "m" -> Kind.METHOD;
            case "U" -> Kind.PATH;
            default -> Kind.OTHER;
        };
    }

    /** Whether a line has this format; if so, sets the positions of its fields. */
    boolean matches(byte[] line, int from, int to, Fields into) {
        int end = to > from && line[to - 1] == '\r' ? to - 1 : to;
        into.methodFrom = -1;
        into.methodTo = -1;
        if (!isAt(before, line, from, end)) {
            return false;
        }
        int at = from + before.length;
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            boolean isLast = i == pieces.size() - 1;
            int fieldEnd = piece.after.length > 0
                    ? indexOf(piece.after, line, searchFrom(piece.kind, line, at, end), end)
                    : isLast ? end : indexOf(PATH_BEGINS, line, at, end);
            if (fieldEnd < 0) {
                return false;
            }
            set(piece.kind, at, fieldEnd, into);
            at = fieldEnd + piece.after.length;
        }
        return true;
    }

    /** A stamp may contain a blank: it extends to its zone or its bracket. */
    private static int searchFrom(Kind kind, byte[] line, int at, int end) {
        if (kind != Kind.TIME || at + 21 > end) {
            return at;
        }
        boolean isBracketed = line[at] == '[';
        return isBracketed || line[at + 2] == '/' ? at + 21 : line[at + 10] == '\t' ? at + 11 : at;
    }

    private static void set(Kind kind, int from, int to, Fields into) {
        switch (kind) {
            case TIME -> {
                into.timeFrom = from;
                into.timeTo = to;
            }
            case REQUEST, PATH -> {
                into.requestFrom = from;
                into.requestTo = to;
            }
            case METHOD -> {
                into.methodFrom = from;
                into.methodTo = to;
            }
            case OTHER -> {}
        }
    }

    private static boolean isAt(byte[] literal, byte[] line, int at, int end) {
        int to = at + literal.length;
        return to <= end && Arrays.equals(line, at, to, literal, 0, literal.length);
    }

    private static int indexOf(byte[] literal, byte[] line, int from, int end) {
        for (int at = from; at + literal.length <= end; at++) {
            if (isAt(literal, line, at, end)) {
                return at;
            }
        }
        return -1;
    }

    /** Whether method and path are separate fields, rather than one request line. */
    boolean separatesMethod() {
        return pieces.stream().noneMatch(piece -> piece.kind == Kind.REQUEST);
    }

    /** The byte after a separate path; a line end if there is none. */
    byte afterPath() {
        return pieces.stream()
                .filter(piece -> piece.kind == Kind.PATH && piece.after.length > 0)
                .map(piece -> piece.after[0])
                .findFirst()
                .orElse((byte) '\n');
    }

    public String text() {
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogFormat that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
