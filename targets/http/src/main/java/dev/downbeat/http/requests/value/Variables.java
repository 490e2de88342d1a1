package dev.downbeat.http.requests.value;

import dev.downbeat.http.message.RequestBytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Resolves variables: values known before the run, data columns, and session captures. The command line overrides an
 * environment, which overrides the file.
 */
public final class Variables {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, DataFile> data = new LinkedHashMap<>();
    private final DynamicValues dynamic;

    private Variables(DynamicValues dynamic) {
        this.dynamic = dynamic;
    }

    /** No variables but those of this process's environment. */
    public static Variables none() {
        return ofProcess(System.getenv());
    }

    public static Variables ofProcess(Map<String, String> environment) {
        return new Variables(new DynamicValues(environment));
    }

    /** A copy with more values, of lower precedence. */
    public Variables or(Map<String, String> more) {
        Variables all = new Variables(dynamic);
        all.values.putAll(more);
        all.values.putAll(values);
        all.data.putAll(data);
        return all;
    }

    /**
     * A copy with more data files.
     *
     * @throws IllegalArgumentException if two have the same name
     */
    public Variables with(List<DataFile> files) {
        Variables all = or(Map.of());
        for (DataFile file : files) {
            if (all.data.put(file.name(), file) != null) {
                throw new IllegalArgumentException("the name of data must be used once, but was twice: " + file.name());
            }
        }
        return all;
    }

    /** Resolves names that have no plain value. */
    public interface Captured {
        /** A captured value; empty if nothing with that name is captured. */
        Optional<Value> find(String name, SourcePosition spot);

        /** Why there is no captured value; empty if the name does not look like one. */
        default String missing(String name) {
            return "";
        }
    }

    /**
     * Fills in known values and leaves placeholders for the rest. A recorded text stays as it is.
     *
     * @throws IllegalArgumentException if a variable has no value, or refers to itself; the message says where
     */
    public Text text(String raw, SourcePosition spot, Text.Place place, Captured captured) {
        Text.Builder text = new Text.Builder();
        if (spot.isRecorded()) {
            text.add(literal(raw, place, false));
        } else {
            new Filling(spot, place, captured, text).add(raw);
        }
        return text.build();
    }

    /** Editors allow blanks in a URL; the wire does not. A secret from a file often ends with a line break. */
    private static String literal(String text, Text.Place place, boolean isValue) {
        RequestBytes bytes = new RequestBytes();
        bytes.append(text.getBytes(StandardCharsets.UTF_8));
        if (isValue) {
            place.escapeValue(bytes, 0);
        } else {
            place.escape(bytes, 0);
        }
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.UTF_8);
    }

    /** Fills in one text. */
    private final class Filling {
        private final SourcePosition spot;
        private final Text.Place place;
        private final Captured captured;
        private final Text.Builder into;

        /** The variables whose values are being filled in, the outermost first. */
        private final Deque<String> resolving = new ArrayDeque<>();

        private boolean isValue;

        Filling(SourcePosition spot, Text.Place place, Captured captured, Text.Builder into) {
            this.spot = spot;
            this.place = place;
            this.captured = captured;
            this.into = into;
        }

        void add(String raw) {
            int at = 0;
            for (int open = raw.indexOf("{{"); open >= 0; open = raw.indexOf("{{", at)) {
                int close = raw.indexOf("}}", open);
                if (close < 0) {
                    break;
                }
                into.add(literal(raw.substring(at, open), place, isValue));
                String name = raw.substring(open + 2, close).strip();
                variable(name, raw.substring(open, close + 2));
                at = close + 2;
            }
            into.add(literal(raw.substring(at), place, isValue));
        }

        /** A variable that begins a URL is its address, as if typed. */
        private boolean isValueHere() {
            return isValue || place != Text.Place.URL || !into.isEmpty();
        }

        private void variable(String name, String raw) {
            if (name.startsWith("$")) {
                Optional<String> fixed = dynamic.fixed(name, spot);
                if (fixed.isPresent()) {
                    into.add(literal(fixed.get(), place, isValueHere()));
                } else {
                    into.add(dynamic.of(name, spot), place);
                }
                return;
            }
            Optional<Value> later = captured.find(name, spot);
            if (later.isPresent()) {
                into.add(later.get(), place);
                return;
            }
            String value = values.get(name);
            if (value != null) {
                if (resolving.contains(name)) {
                    throw spot.refusal("the variable {{" + name + "}} refers to itself: "
                            + String.join(" -> ", resolving) + " -> " + name);
                }
                boolean wasValue = isValue;
                isValue = isValueHere();
                resolving.addLast(name);
                add(value);
                resolving.removeLast();
                isValue = wasValue;
                return;
            }
            int dot = name.indexOf('.');
            DataFile file = data.get(dot < 0 ? name : name.substring(0, dot));
            if (file != null && dot < 0) {
                into.add(file.onlyColumn(spot), place);
                return;
            }
            if (file == null) {
                String why = captured.missing(name);
                String data = dot < 0 ? "" : ", --data-file %s=FILE.csv (API: data)".formatted(name.substring(0, dot));
                String advice = "add --var %s=VALUE (API: variable)%s, or --env NAME of an environment that defines it"
                        .formatted(name, data);
                throw spot.refusal(raw + " has no value: " + (why.isEmpty() ? advice : why));
            }
            into.add(file.column(name.substring(dot + 1), spot), place);
        }
    }
}
