package dev.downbeat.http.requests.check;

import dev.downbeat.http.requests.value.SourcePosition;
import dev.downbeat.json.JsonText;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** A condition for a response to count as a success. Immutable. */
public sealed interface Expectation {
    /** The condition in the syntax of {@link #parse}. */
    String text();

    /**
     * Parses {@code 201}, {@code 200,204}, {@code 2xx}, {@code 200-299}, {@code json /ok = true} or {@code body TEXT}.
     */
    static Expectation parse(String raw) {
        String text = raw.strip();
        if (text.startsWith("json ")) {
            String rest = text.substring("json ".length()).strip();
            int equals = rest.indexOf('=');
            if (equals < 0) {
                throw new IllegalArgumentException(
                        "expected 'json /pointer = value', but found " + SourcePosition.found(text));
            }
            JsonPointer pointer = JsonPointer.parse(rest.substring(0, equals).strip());
            return new JsonIs(
                    pointer, JsonValues.parse(rest.substring(equals + 1).strip()));
        }
        if (text.startsWith("body ")) {
            return new BodyHas(text.substring("body ".length()).strip());
        }
        return Status.parse(text);
    }

    /** One of these statuses. */
    record Status(BitSet allowed, String text) implements Expectation {
        private static final int LEAST = 100;
        private static final int MOST = 599;

        static Status parse(String text) {
            BitSet allowed = new BitSet();
            for (String part : text.split(",", -1)) {
                String one = part.strip();
                if (one.matches("[1-5]xx")) {
                    int hundred = (one.charAt(0) - '0') * 100;
                    allowed.set(hundred, hundred + 100);
                    continue;
                }
                List<Integer> ends = one.matches("[0-9]{3}(-[0-9]{3})?")
                        ? Arrays.stream(one.split("-", -1))
                                .map(Integer::valueOf)
                                .toList()
                        : List.of(0);
                int from = ends.get(0);
                int to = ends.get(ends.size() - 1);
                if (from < LEAST || to > MOST || from > to) {
                    throw new IllegalArgumentException(
                            "expected a status such as 200, 200,201, 2xx or 200-299, or 'body"
                                    + " TEXT' or 'json /pointer = value', but found " + SourcePosition.found(text));
                }
                allowed.set(from, to + 1);
            }
            return new Status(allowed, text);
        }

        /** Both at once; empty if no status meets both. */
        public Optional<Status> and(Status other) {
            BitSet both = (BitSet) allowed.clone();
            both.and(other.allowed);
            Status result = both.equals(allowed)
                    ? this
                    : both.equals(other.allowed) ? other : new Status(both, text + " and " + other.text);
            return Optional.of(result).filter(one -> !one.allowed.isEmpty());
        }

        public boolean allows(int status) {
            return allowed.get(status);
        }
    }

    /** A condition for the response's body. */
    sealed interface OfBody extends Expectation {
        boolean holds(String body);
    }

    /** The body contains this text literally. */
    record BodyHas(String wanted) implements OfBody {
        /** Accepts any value. */
        public BodyHas {
            if (wanted.isEmpty()) {
                throw new IllegalArgumentException("expected a text that the body must hold, but found none");
            }
        }

        @Override
        public boolean holds(String body) {
            return body.contains(wanted);
        }

        @Override
        public String text() {
            return "body " + wanted;
        }
    }

    /** The body is JSON and has this value at this location (RFC 6901). */
    record JsonIs(JsonPointer pointer, Object wanted) implements OfBody {
        @Override
        public boolean holds(String body) {
            try {
                Optional<Object> found = pointer.in(JsonValues.parse(body));
                return found.filter(value -> JsonValues.isSame(value, wanted)).isPresent();
            } catch (IllegalArgumentException noJson) {
                return false;
            }
        }

        @Override
        public String text() {
            return "json " + pointer + " = " + JsonText.of(wanted);
        }
    }
}
