package dev.downbeat.http.requests.value;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.requests.value.Value.Draw;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bytes with placeholders for values. Immutable; writing allocates nothing. */
public final class Text {
    /** The position of a text, which determines how values are escaped. */
    public enum Place {
        /** Values are unchanged. */
        BODY,
        /** A line break would start another header. */
        HEADER,
        /** White space would end the URL. */
        URL,
        /** Pairs of a query or a form, typed with their escapes; each value stays a part of its pair. */
        PAIRS;

        /** Escapes typed text from there to the end. */
        void escape(RequestBytes bytes, int from) {
            if (this == HEADER) {
                bytes.oneLine(from);
            } else if (this == URL) {
                bytes.percentEncode(from);
            }
        }

        /** Escapes a value from there to the end. */
        void escapeValue(RequestBytes bytes, int from) {
            switch (this) {
                case URL -> bytes.percentEncodeValue(from);
                case PAIRS -> bytes.percentEncodeComponent(from);
                default -> escape(bytes, from);
            }
        }
    }

    public static final Text EMPTY = new Text(new Object[0]);

    /** Byte arrays, and values with their positions. */
    private final Object[] parts;

    private record Slot(Value value, Place place) {}

    private Text(Object[] parts) {
        this.parts = parts;
    }

    /** Whether it is the same for every request. */
    public boolean isFixed() {
        return parts.length == 0 || (parts.length == 1 && parts[0] instanceof byte[]);
    }

    /** The length, if it is fixed. */
    public int fixedLength() {
        return parts.length == 0 ? 0 : ((byte[]) parts[0]).length;
    }

    public @Nullable Outcome write(Draw draw, RequestBytes into) {
        for (Object part : parts) {
            if (part instanceof byte[] bytes) {
                into.append(bytes);
                continue;
            }
            Slot slot = (Slot) part;
            int from = into.length();
            Outcome none = slot.value.write(draw, into);
            if (none != null) {
                return none;
            }
            slot.place.escapeValue(into, from);
        }
        return null;
    }

    /** The text up to its first value. */
    public String beginning() {
        return parts.length > 0 && parts[0] instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "";
    }

    /** A builder. Not thread-safe. */
    public static final class Builder {
        private final List<Object> parts = new ArrayList<>();
        private final ByteArrayOutputStream fixed = new ByteArrayOutputStream();

        public Builder add(String text) {
            return add(text.getBytes(StandardCharsets.UTF_8));
        }

        public Builder add(byte[] bytes) {
            fixed.writeBytes(bytes);
            return this;
        }

        public Builder add(Value value, Place place) {
            end();
            parts.add(new Slot(value, place));
            return this;
        }

        public Builder add(Text text) {
            for (Object part : text.parts) {
                if (part instanceof byte[] bytes) {
                    add(bytes);
                } else {
                    end();
                    parts.add(part);
                }
            }
            return this;
        }

        boolean isEmpty() {
            return parts.isEmpty() && fixed.size() == 0;
        }

        private void end() {
            if (fixed.size() > 0) {
                parts.add(fixed.toByteArray());
                fixed.reset();
            }
        }

        public Text build() {
            end();
            return parts.isEmpty() ? EMPTY : new Text(parts.toArray());
        }
    }

    /** A copy without this many leading bytes. */
    public Text from(int bytes) {
        Builder rest = new Builder();
        for (int i = 0; i < parts.length; i++) {
            if (parts[i] instanceof byte[] all) {
                int skipped = i == 0 ? bytes : 0;
                rest.add(Arrays.copyOfRange(all, skipped, all.length));
            } else {
                rest.end();
                rest.parts.add(parts[i]);
            }
        }
        return rest.build();
    }
}
