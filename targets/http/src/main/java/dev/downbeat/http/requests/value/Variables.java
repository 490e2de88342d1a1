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

    /** Only with this process's environment. */
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
    }

    /**
     * Fills in known values and leaves placeholders for the rest.
     *
     * @throws IllegalArgumentException if a variable has no value, or refers to itself; the message says where
     */
    public Text text(String raw, SourcePosition spot, Text.Place place, Captured captured) {
        Text.Builder text = new Text.Builder();
        add(raw, spot, place, captured, text, new ArrayDeque<>());
        return text.build();
    }

    private void add(
            String raw,
            SourcePosition spot,
            Text.Place place,
            Captured captured,
            Text.Builder into,
            Deque<String> within) {
        int at = 0;
        for (int open = raw.indexOf("{{"); open >= 0; open = raw.indexOf("{{", at)) {
            int close = raw.indexOf("}}", open);
            if (close < 0) {
                break;
            }
            into.add(literal(raw.substring(at, open), place));
            String name = raw.substring(open + 2, close).strip();
            variable(name, raw.substring(open, close + 2), spot, place, captured, into, within);
            at = close + 2;
        }
        into.add(literal(raw.substring(at), place));
    }

    /** Editors allow blanks in a URL; the wire does not. */
    private static String literal(String text, Text.Place place) {
        if (place != Text.Place.URL) {
            return text;
        }
        RequestBytes bytes = new RequestBytes();
        bytes.append(text.getBytes(StandardCharsets.UTF_8));
        bytes.percentEncode(0);
        return new String(bytes.array(), 0, bytes.length(), StandardCharsets.US_ASCII);
    }

    private void variable(
            String name,
            String raw,
            SourcePosition spot,
            Text.Place place,
            Captured captured,
            Text.Builder into,
            Deque<String> within) {
        if (name.startsWith("$")) {
            Optional<String> fixed = dynamic.fixed(name, spot);
            if (fixed.isPresent()) {
                into.add(literal(fixed.get(), place));
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
            if (within.contains(name)) {
                throw spot.refusal(
                        "the variable {{" + name + "}} needs itself: " + String.join(" -> ", within) + " -> " + name);
            }
            within.addLast(name);
            add(value, spot, place, captured, into, within);
            within.removeLast();
            return;
        }
        int dot = name.indexOf('.');
        DataFile file = data.get(dot < 0 ? name : name.substring(0, dot));
        if (file != null && dot < 0) {
            into.add(file.onlyColumn(spot), place);
            return;
        }
        if (file == null) {
            throw spot.refusal(raw + " has no value (give one by --var " + name + "=VALUE, by '@" + name
                    + " = VALUE' in the file, or by an environment with --env NAME)");
        }
        into.add(file.column(name.substring(dot + 1), spot), place);
    }
}
