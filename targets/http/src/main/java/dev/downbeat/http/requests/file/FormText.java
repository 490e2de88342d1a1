package dev.downbeat.http.requests.file;

/** A form in editor syntax: {@code first name = Ann Lee & city = Bath} means {@code first+name=Ann+Lee&city=Bath}. */
final class FormText {
    private FormText() {}

    /**
     * Removes blanks around {@code &} and the first {@code =}, and replaces others by {@code +}; variables are
     * unchanged.
     */
    static String encoded(String text) {
        StringBuilder form = new StringBuilder();
        boolean isName = true;
        boolean isAfterSign = true;
        boolean hasBlank = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isSign = c == '&' || (c == '=' && isName);
            if (Character.isWhitespace(c)) {
                hasBlank = true;
                continue;
            }
            if (hasBlank && !isSign && !isAfterSign) {
                form.append('+');
            }
            hasBlank = false;
            isAfterSign = isSign;
            isName = isSign ? c == '&' : isName;
            int end = text.startsWith("{{", at) ? text.indexOf("}}", at) : -1;
            if (end > 0) {
                form.append(text, at, end + 2);
                at = end + 1;
            } else {
                form.append(c);
            }
        }
        return form.toString();
    }
}
