package dev.downbeat.exchange;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What of a request may be shown. A value is secret unless its name is known to be harmless: nobody can list the names of
 * all secrets, but the names of what is not one are few. This is the one place that knows them.
 *
 * <p>Shown are schemes, hosts, ports, paths but for what looks like a key in them, and the names of headers and of query parameters; hidden are user infos,
 * fragments, and all values but those of the names below. Pure functions, thread-safe.
 */
public final class Redaction {
    /** Fields of RFC 9110 and 9111 that say how to talk, not who talks; in small letters. */
    private static final Set<String> HARMLESS_HEADERS =
            Set.of(("accept accept-charset accept-encoding accept-language cache-control connection "
                            + "content-encoding content-language content-length content-type expect host keep-alive pragma "
                            + "range te transfer-encoding upgrade user-agent")
                    .split(" "));

    /** What cuts lists into pages and chooses how they look; in small letters, without {@code - _ .} */
    private static final Set<String> HARMLESS_PARAMETERS =
            Set.of(("count delay format lang language limit locale offset order orderby page pageno pagenumber "
                            + "pagesize perpage size sort sortby sortorder status version")
                    .split(" "));

    /** What the value of a harmless parameter looks like: no other parameter can hide behind it, and no key. */
    private static final Pattern HARMLESS_VALUE = Pattern.compile("[\\w.,+*-]{0,24}");

    /** What is shown as the name of a parameter; anything else may be a part of a value that was not encoded. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\d_.:$%\\[\\]-]{1,48}");

    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://");
    private static final Pattern PORT = Pattern.compile("[^:]*(:\\d*)?|\\[[^\\]]*\\](:\\d*)?");
    private static final Pattern IN_PATH = Pattern.compile("([;&])([^=&;/]*)=([^&;/]*)");
    /** {@code bot123:AAH...}: a key behind a name. */
    private static final Pattern KEY_BEHIND_NAME = Pattern.compile("([^/:]*:)[^/:]{16,}");

    /** What separates the words of a name. */
    private static final Pattern BETWEEN_WORDS = Pattern.compile("%\\p{XDigit}{2}|[^A-Za-z0-9~+=]");

    /** Small and large letters and digits. */
    private static final Pattern MIXED = Pattern.compile("(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).*");

    /** Shorter words are names. */
    private static final int LEAST_KEY = 20;

    /** In 36 random characters 98 % of keys change between small, large and digit as often as this; words do so where they begin. */
    private static final double CHANGES_OF_KEY = 0.42;

    /** A key in which {@code -} or {@code _} occurs is in pieces: judged together they must be longer, and change more often. */
    private static final int LEAST_PIECES = 32;

    private static final double CHANGES_OF_PIECES = 0.5;

    private static final Pattern SEGMENT = Pattern.compile("(?<=/)[^/]+");

    private static final Pattern LIKE_URL = Pattern.compile("://|unix:/|\\?|[&;][^=]*=|:.*@", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final String PUNCTUATION = "'\"`)]}>,.;:";

    private Redaction() {}

    /** Whether the value of a header may be shown; the case of its name does not matter. */
    public static boolean isHarmlessHeader(String name) {
        return HARMLESS_HEADERS.contains(name.strip().toLowerCase(Locale.ROOT));
    }

    /** Whether the value of a query parameter may be shown; {@code pageSize}, {@code page-size} and {@code page_size} are one name. */
    public static boolean isHarmlessParameter(String name) {
        return HARMLESS_PARAMETERS.contains(name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT));
    }

    /** A header as it may be shown: {@code Accept: text/html}, {@code Cookie: ***}. */
    public static String header(String name, String value) {
        return name + ": " + (isHarmlessHeader(name) ? value : Secret.HIDDEN);
    }

    /** The same of a line; one without a colon has no name, so nothing of it is shown. */
    public static String header(String line) {
        int colon = line.indexOf(':');
        return colon < 1
                ? Secret.HIDDEN
                : header(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    /** {@code name=value} as it may be shown: {@code page=2}, {@code token=***}; without a name it is all value. */
    private static String parameter(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        String value = equals < 0 ? "" : text.substring(equals + 1);
        boolean isHarmless =
                isHarmlessParameter(name) && HARMLESS_VALUE.matcher(value).matches();
        if (text.isEmpty() || isHarmless) {
            return text;
        }
        // an encoded key may end in "=" or "==" and is no name
        boolean isName = NAME.matcher(name).matches() && !value.chars().allMatch(c -> c == '=');
        return isName ? name + "=" + Secret.HIDDEN : Secret.HIDDEN;
    }

    /** The query of a URL, without its question mark, as it may be shown: {@code page=2&token=***}. */
    public static String query(String query) {
        StringBuilder shown = new StringBuilder();
        int start = 0;
        for (int at = 0; at <= query.length(); at++) {
            boolean ends = at == query.length() || "&;".indexOf(query.charAt(at)) >= 0;
            if (ends) {
                shown.append(parameter(query.substring(start, at)));
                if (at < query.length()) {
                    shown.append(query.charAt(at));
                }
                start = at + 1;
            }
        }
        return shown.toString();
    }

    /**
     * A URL as it may be shown: {@code http://***@host/path?page=2&token=***}. It need not be a valid one: messages quote
     * what is wrong.
     */
    public static String url(String url) {
        Matcher scheme = SCHEME.matcher(url);
        boolean leads =
                scheme.find() && url.substring(0, scheme.start()).chars().noneMatch(c -> "/?#@".indexOf(c) >= 0);
        int from = leads ? scheme.end() : 0;
        String rest = withoutUser(url.substring(from));
        int hash = rest.indexOf('#');
        String fragment = hash < 0 ? "" : "#" + Secret.HIDDEN;
        rest = hash < 0 ? rest : rest.substring(0, hash);
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        String query = question < 0 ? "" : "?" + query(rest.substring(question + 1));
        String shown = IN_PATH.matcher(path)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group(1) + parameter(found.group(2) + "=" + found.group(3))));
        return url.substring(0, from) + withoutKeys(shown) + query + fragment;
    }

    private static String withoutKeys(String path) {
        return SEGMENT.matcher(path).replaceAll(found -> {
            String segment = found.group();
            Matcher named = KEY_BEHIND_NAME.matcher(segment);
            String shown =
                    named.matches() ? named.group(1) + Secret.HIDDEN : isLikeKey(segment) ? Secret.HIDDEN : segment;
            return Matcher.quoteReplacement(shown);
        });
    }

    private static boolean isLikeKey(String segment) {
        int length = 0;
        int changes = 0;
        boolean isMixed = false;
        for (String word : BETWEEN_WORDS.split(segment)) {
            int ofWord = changes(word);
            boolean mixed = MIXED.matcher(word).matches();
            if (mixed && word.length() >= LEAST_KEY && ofWord >= CHANGES_OF_KEY * word.length()) {
                return true;
            }
            length += word.length();
            changes += ofWord;
            isMixed |= mixed;
        }
        return isMixed && length >= LEAST_PIECES && changes >= CHANGES_OF_PIECES * length;
    }

    /** How often a small letter, a large one, a digit or another character is followed by another kind. */
    private static int changes(String word) {
        int changes = 0;
        for (int i = 1; i < word.length(); i++) {
            changes += Character.getType(word.charAt(i)) == Character.getType(word.charAt(i - 1)) ? 0 : 1;
        }
        return changes;
    }

    /** A password may hold any character, and so may end the host too early: then all up to the last @ is hidden. */
    private static String withoutUser(String rest) {
        int end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String authority = rest.substring(0, end);
        int at = PORT.matcher(authority).matches() ? authority.lastIndexOf('@') : rest.lastIndexOf('@');
        at = Math.max(at, authority.lastIndexOf('@'));
        return at < 0 ? rest : Secret.HIDDEN + rest.substring(at);
    }

    /** A word of a command line that may be a URL or end in one, white space in it or not, as it may be shown. */
    public static String word(String word) {
        return LIKE_URL.matcher(word).find() ? url(word) : word;
    }

    /** A line in which URLs may stand, as it may be shown: {@code GET http://host/path?token=***}. */
    public static String line(String text) {
        return WORD.matcher(text).replaceAll(found -> Matcher.quoteReplacement(unquoted(found.group())));
    }

    /** What surrounds a URL in a sentence is not of it. */
    private static String unquoted(String word) {
        int start = 0;
        while (start < word.length() && "'\"`([{<=".indexOf(word.charAt(start)) >= 0) {
            start++;
        }
        int end = word.length();
        while (end > start && PUNCTUATION.indexOf(word.charAt(end - 1)) >= 0) {
            end--;
        }
        return word.substring(0, start) + word(word.substring(start, end)) + word.substring(end);
    }
}
