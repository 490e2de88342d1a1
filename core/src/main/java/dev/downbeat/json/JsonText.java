package dev.downbeat.json;

import java.util.List;
import java.util.Map;

/** Writes values as {@link JsonReader} reads them, on one line and without loss. Pure functions. */
public final class JsonText {
    private JsonText() {}

    public static String of(Object value) {
        StringBuilder out = new StringBuilder();
        print(value, out);
        return out.toString();
    }

    private static void print(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> member : map.entrySet()) {
                out.append(before);
                quote(String.valueOf(member.getKey()), out);
                out.append(':');
                print(member.getValue(), out);
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> list) {
            String before = "[";
            for (Object element : list) {
                out.append(before);
                print(element, out);
                before = ",";
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            quote(number.toString(), out); // JSON has no such number
        } else if (value instanceof Number || value instanceof Boolean || value == JsonReader.NULL) {
            out.append(value);
        } else {
            quote(value.toString(), out);
        }
    }

    /** Appends a quoted string, restricted to characters that are safe in every encoding and on one line. */
    public static void quote(String text, StringBuilder out) {
        out.append('"');
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                continue;
            }
            out.append(text, start, i);
            start = i + 1;
            int known = "\"\\\n\r\t".indexOf(c);
            if (known >= 0) {
                out.append('\\').append("\"\\nrt".charAt(known));
            } else {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            }
        }
        out.append(text, start, text.length()).append('"');
    }

    /** Whether the character needs no escape. Surrogates are escaped, since encoders reject unpaired ones. */
    private static boolean isPlain(char c) {
        return c < 0x7f
                ? c >= ' ' && c != '"' && c != '\\'
                : c != 0x7f && !Character.isSurrogate(c) && c != '\u2028' && c != '\u2029';
    }
}
