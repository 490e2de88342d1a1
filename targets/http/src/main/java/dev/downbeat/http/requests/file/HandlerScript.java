package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.value.SourcePosition;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A response script of an editor. It is not executed; its most common uses have directives.
 *
 * @param spot its position
 */
record HandlerScript(SourcePosition spot, String text) {
    private static final Pattern SET = Pattern.compile(
            "client\\.global\\.set\\(\\s*[\"']([\\w.-]+)[\"']\\s*,\\s*(?:jsonPath\\([^)]*\\)|response\\.body\\.([\\w.\\[\\]]+)|[^)]*)");

    static String note(HandlerScript script) {
        Matcher set = SET.matcher(script.text);
        String instead = "write what it checks as '# @expect 200'";
        if (set.find()) {
            String pointer = set.group(2) == null
                    ? "/..."
                    : "/" + set.group(2).replaceAll("[.\\[]", "/").replace("]", "");
            instead = "write '# @capture " + set.group(1) + " = json " + pointer + "' above the request";
        }
        return script.spot + ": the response handler is not run: " + instead;
    }
}
