package dev.downbeat.http.requests;

import dev.downbeat.http.requests.file.RequestText.BodyPart;
import dev.downbeat.http.requests.file.RequestText.Form;
import dev.downbeat.http.requests.file.RequestText.Raw;
import dev.downbeat.http.requests.file.RequestText.Typed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits a form's body into pairs, across its parts.
 * Values in a pair are data. A value in place of pairs, as in {@code {{rest}}&n=1}, is sent as it is. Use once.
 */
final class FormPairs {
    private final List<BodyPart> all = new ArrayList<>();

    /** The parts so far of the pair that has not ended. */
    private final List<BodyPart> pair = new ArrayList<>();

    private boolean hasSign;

    private FormPairs() {}

    /** The same body, with pairs as {@link Form} where they are text. */
    static List<BodyPart> of(List<BodyPart> body) {
        FormPairs pairs = new FormPairs();
        for (BodyPart part : body) {
            if (part instanceof Typed typed) {
                pairs.typed(typed);
            } else {
                pairs.pair.add(part);
                if (part instanceof Raw raw) {
                    pairs.raw(new String(raw.bytes(), StandardCharsets.ISO_8859_1));
                }
            }
        }
        pairs.end();
        return pairs.all;
    }

    private void typed(Typed typed) {
        String text = typed.text();
        for (int from = 0; from < text.length(); ) {
            int end = outsideBraces(text, '&', from);
            boolean isEnded = end < text.length();
            String piece = text.substring(from, isEnded ? end + 1 : end);
            pair.add(new Typed(typed.spot(), piece));
            hasSign |= outsideBraces(piece, '=', 0) < piece.length();
            if (isEnded) {
                end();
            }
            from = isEnded ? end + 1 : end;
        }
    }

    /** Literal bytes have no variables, but may end a pair and begin another. */
    private void raw(String bytes) {
        int first = bytes.indexOf('&');
        hasSign |= (first < 0 ? bytes : bytes.substring(0, first)).contains("=");
        if (first >= 0) {
            end();
            hasSign = bytes.indexOf('=', bytes.lastIndexOf('&')) >= 0;
        }
    }

    private void end() {
        for (BodyPart part : pair) {
            all.add(hasSign && part instanceof Typed typed ? new Form(typed.spot(), typed.text()) : part);
        }
        pair.clear();
        hasSign = false;
    }

    /** The index of the next such sign outside variables; the length if there is none. */
    private static int outsideBraces(String text, char sign, int from) {
        for (int at = from; at < text.length(); at++) {
            int end = text.startsWith("{{", at) ? text.indexOf("}}", at) : -1;
            if (end > 0) {
                at = end + 1;
            } else if (text.charAt(at) == sign) {
                return at;
            }
        }
        return text.length();
    }
}
