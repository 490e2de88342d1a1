package dev.downbeat.exec;

import dev.downbeat.json.JsonReader;
import dev.downbeat.json.JsonRules;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * A worker's answer: {@code ok} or {@code fail KIND}, optionally followed by a JSON object, such as {@code ok
 * {"connect_ns": 1200000, "connection": 7, "position": 1}}.
 *
 * @param failure kind of the failure; empty if the request succeeded
 * @param details members by name; those ending in {@code _ns} are parts of the request's time
 */
record WorkerAnswer(Optional<String> failure, Map<?, ?> details) {
    private static final String OK = "ok";
    private static final String FAIL = "fail";
    private static final String PART = "_ns";
    private static final int LONGEST_KIND = 60;

    /**
     * @throws IOException if the line is invalid; the message says why
     */
    static WorkerAnswer parse(String line) throws IOException {
        int brace = line.indexOf('{');
        String words = (brace < 0 ? line : line.substring(0, brace)).strip();
        Map<?, ?> details = brace < 0 ? Map.of() : details(line.substring(brace));
        if (words.equals(OK)) {
            return new WorkerAnswer(Optional.empty(), details);
        }
        if (words.startsWith(FAIL + " ") || words.equals(FAIL)) {
            String kind = words.substring(FAIL.length()).strip();
            String known = kind.isEmpty() ? "failed" : kind;
            return new WorkerAnswer(Optional.of(known.substring(0, Math.min(LONGEST_KIND, known.length()))), details);
        }
        throw new IOException("is neither 'ok' nor 'fail KIND'");
    }

    private static Map<?, ?> details(String json) throws IOException {
        if (JsonReader.parse(json, JsonRules.EXACT) instanceof Map<?, ?> map) {
            return map;
        }
        throw new IOException("has no JSON object behind its first word");
    }

    /** A member as text; empty if it is missing. */
    Optional<String> text(String name) {
        return Optional.ofNullable(details.get(name)).map(Object::toString);
    }

    /** A member as a number of at least 0; 0 if it is missing or not a number. */
    long number(String name) {
        return details.get(name) instanceof Number number ? Math.max(0, number.longValue()) : 0;
    }

    /** Receives the parts of a request's time. */
    interface Parts {
        void add(String name, long nanos);
    }

    /** Passes each part, named without its suffix. */
    void parts(Parts taker) {
        details.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (name.endsWith(PART) && name.length() <= LONGEST_KIND && value instanceof Number) {
                taker.add(name.substring(0, name.length() - PART.length()).replace('_', ' '), number(name));
            }
        });
    }
}
