package dev.downbeat.exchange;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Decides which parts of a request may be displayed. A value is secret unless its name is known to be harmless, because
 * nobody can list all secret names. This class is the only place with such lists.
 *
 * <p>Visible: schemes, hosts, ports, paths except for suspected keys, and names of headers and query parameters.
 * Hidden: user info, fragments, and all values except those of the names below. Pure functions, thread-safe.
 */
public final class Redaction {
    /** Headers of RFC 9110 and 9111 that control the protocol and do not identify anyone; in lower case. */
    private static final Set<String> VISIBLE_HEADERS =
            Set.of(("accept accept-charset accept-encoding accept-language cache-control connection "
                            + "content-encoding content-language content-length content-type expect host keep-alive pragma "
                            + "range te transfer-encoding upgrade user-agent")
                    .split(" "));

    /** Paging and presentation parameters; in lower case, without {@code - _ .} */
    private static final Set<String> VISIBLE_PARAMETERS =
            Set.of(("count delay format lang language limit locale offset order orderby page pageno pagenumber "
                            + "pagesize perpage size sort sortby sortorder status version")
                    .split(" "));

    /** The accepted form of a harmless parameter's value. It cannot contain another parameter or a key. */
    private static final Pattern VISIBLE_VALUE = Pattern.compile("[\\w.,+*-]{0,24}");

    /** The accepted form of a parameter name. Anything else may be part of an unencoded value. */
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\d_.:$%\\[\\]-]{1,48}");

    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://");
    private static final Pattern PORT = Pattern.compile("[^:]*(:\\d*)?|\\[[^\\]]*\\](:\\d*)?");
    private static final Pattern IN_PATH = Pattern.compile("([;&])([^=&;/]*)=([^&;/]*)");
    private static final Pattern JDBC = Pattern.compile("(?i)\\bjdbc:(?:(postgresql|mysql|mariadb):)?");

    /** {@code ;password={a;b}} of SQL Server and H2, {@code :password=a;} of Db2, {@code (password=a)} of MySQL. */
    private static final Pattern IN_JDBC = Pattern.compile("([;:])([^=;:&/@?]{1,48})=(\\{[^}]*}?|[^;]*)");

    private static final Pattern IN_BRACKETS = Pattern.compile("([(,])([\\w.-]+)=([^(),]*)");

    /** {@code bot123:AAH...}: a key after a name. */
    private static final Pattern KEY_BEHIND_NAME = Pattern.compile("([^/:]*:)[^/:]{16,}");

    /** Separators between the words of a name. */
    private static final Pattern BETWEEN_WORDS = Pattern.compile("%\\p{XDigit}{2}|[^A-Za-z0-9~+=]");

    /** Contains lower-case and upper-case letters and digits. */
    private static final Pattern MIXED = Pattern.compile("(?=.*[a-z])(?=.*[A-Z])(?=.*\\d).*");

    /** Shorter words are treated as names. */
    private static final int LEAST_KEY = 20;

    /** 98 % of random 36-character keys change their kind of character at least this often, words only at their starts. */
    private static final double CHANGES_OF_KEY = 0.42;

    /**
     * A key with {@code -} or {@code _} is split into pieces. Taken together they must be longer and switch more often.
     */
    private static final int LEAST_PIECES = 32;

    private static final double LEAST_CHANGE_SHARE = 0.5;

    private static final Pattern SEGMENT = Pattern.compile("(?<=/)[^/]+");

    private static final Pattern LIKE_URL = Pattern.compile("://|unix:/|\\?|[&;][^=]*=|:.*@", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\S+");
    private static final String COMMAND = "exec:";
    private static final String PUNCTUATION = "'\"`)]}>,.;:";

    /** Names in a command whose values are secret: {@code PGPASSWORD}, {@code --api-key}, {@code auth_token}. */
    private static final String SECRET_NAME =
            "(?:[\\w.-]*(?:passw|passphrase|pwd|secret|token|api[-_.]?key|access[-_.]?key|credential|auth|cookie)[\\w.-]*"
                    + "|(?<![\\w.]|\\w-)(?![\\w.-]*(?:partition|sort|primary|foreign|routing|row|hash|range|cache|group|object|message)"
                    + "[-_.]?key)[\\w.-]*key)";

    /**
     * After {@code NAME=}, {@code --NAME}, a header's {@code NAME:} or JSON's {@code "NAME":}; a port after a host is
     * not a value.
     */
    private static final Pattern SECRET_OF_COMMAND = Pattern.compile("(?i)(" + SECRET_NAME + "=|--?" + SECRET_NAME
            + "\\s+|" + SECRET_NAME + "[\"']?:(?:\\s*(?=[\"'])|\\s+(?:bearer |basic |token )?))"
            + "('[^']*'|\"[^\"]*\"|[^\\s'\"]+)");

    /** All cookies of a header: {@code -H 'Cookie: a=b; c=d'}. */
    private static final Pattern COOKIES_OF_COMMAND = Pattern.compile("(?i)(['\"]cookie:\\s*|\\bcookie:\\s+)[^'\"]+");

    /** {@code -u ann:PASSWORD}; a URL has been shown without its own, and {@code -u 1000:1000} are ids of a container's user. */
    private static final Pattern USER_OF_COMMAND =
            Pattern.compile("((?<!\\S)(?:-u\\s*|--user(?:\\s+|=)))(?!['\"]?\\w+://|\\d+:\\d+(?!\\S))"
                    + "(?:'[^':]*:[^']*'|\"[^\":]*:[^\"]*\"|[^\\s'\":]+:[^\\s'\"]*)");

    private Redaction() {}

    /** Whether the value of a header may be displayed. The name is case-insensitive. */
    public static boolean isVisibleHeader(String name) {
        return VISIBLE_HEADERS.contains(name.strip().toLowerCase(Locale.ROOT));
    }

    /**
     * Whether the value of a query parameter may be displayed; {@code pageSize}, {@code page-size} and {@code
     * page_size} are equivalent.
     */
    public static boolean isVisibleParameter(String name) {
        return VISIBLE_PARAMETERS.contains(name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT));
    }

    /** A header for display: {@code Accept: text/html}, {@code Cookie: ***}. */
    public static String header(String name, String value) {
        return name + ": " + (isVisibleHeader(name) ? value : Secret.HIDDEN);
    }

    /** A header line for display. A line without a colon has no name, so all of it is hidden. */
    public static String header(String line) {
        int colon = line.indexOf(':');
        return colon < 1
                ? Secret.HIDDEN
                : header(line.substring(0, colon), line.substring(colon + 1).strip());
    }

    /** {@code name=value} for display: {@code page=2}, {@code token=***}. Text without a name is treated as a value. */
    private static String parameter(String text) {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text : text.substring(0, equals);
        String value = equals < 0 ? "" : text.substring(equals + 1);
        boolean isVisible =
                isVisibleParameter(name) && VISIBLE_VALUE.matcher(value).matches();
        if (text.isEmpty() || isVisible) {
            return text;
        }
        // an encoded key may end in "=" or "==" and is not a name
        boolean isName = NAME.matcher(name).matches() && !value.chars().allMatch(c -> c == '=');
        return isName ? name + "=" + Secret.HIDDEN : Secret.HIDDEN;
    }

    /** A URL's query, without the question mark, for display: {@code page=2&token=***}. */
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
     * A URL for display: {@code http://***@host/path?page=2&token=***}. It need not be valid, since error messages
     * quote malformed URLs.
     */
    public static String url(String given) {
        String url = withoutJdbcValues(given);
        Matcher scheme = SCHEME.matcher(url);
        boolean hasScheme =
                scheme.find() && url.substring(0, scheme.start()).chars().noneMatch(c -> "/?#@".indexOf(c) >= 0);
        int from = hasScheme ? scheme.end() : 0;
        String rest = withoutUser(url.substring(from));
        int hash = rest.indexOf('#');
        String fragment = hash < 0 ? "" : "#" + Secret.HIDDEN;
        rest = hash < 0 ? rest : rest.substring(0, hash);
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        String query = question < 0 ? "" : "?" + query(rest.substring(question + 1));
        return url.substring(0, from) + withoutKeys(withoutValues(IN_PATH, path)) + query + fragment;
    }

    /** Each driver has its own place for parameters. Only the named ones know a user before the host. */
    private static String withoutJdbcValues(String url) {
        Matcher jdbc = JDBC.matcher(url);
        if (!jdbc.find()) {
            return url;
        }
        String rest = withoutValues(IN_BRACKETS, url.substring(jdbc.start()));
        return url.substring(0, jdbc.start()) + (jdbc.group(1) == null ? withoutValues(IN_JDBC, rest) : rest);
    }

    private static String withoutValues(Pattern pattern, String text) {
        return pattern.matcher(text)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group(1) + parameter(found.group(2) + "=" + found.group(3))));
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
            int wordChanges = changes(word);
            boolean mixed = MIXED.matcher(word).matches();
            if (mixed && word.length() >= LEAST_KEY && wordChanges >= CHANGES_OF_KEY * word.length()) {
                return true;
            }
            length += word.length();
            changes += wordChanges;
            isMixed |= mixed;
        }
        return isMixed && length >= LEAST_PIECES && changes >= LEAST_CHANGE_SHARE * length;
    }

    /** The number of switches between lower-case letters, upper-case letters, digits and other characters. */
    private static int changes(String word) {
        int changes = 0;
        for (int i = 1; i < word.length(); i++) {
            changes += Character.getType(word.charAt(i)) == Character.getType(word.charAt(i - 1)) ? 0 : 1;
        }
        return changes;
    }

    /** A password may contain any character: up to the last @ all is hidden. An @ in a query behind a host is a value. */
    private static String withoutUser(String rest) {
        int end = 0;
        while (end < rest.length() && "/?#".indexOf(rest.charAt(end)) < 0) {
            end++;
        }
        String authority = rest.substring(0, end);
        String mayHoldUser = PORT.matcher(authority).matches()
                ? authority
                : authority.indexOf('@') < 0 || end == rest.length() || rest.charAt(end) != '/'
                        ? rest
                        : rest.split("[?#]", 2)[0];
        int at = mayHoldUser.lastIndexOf('@');
        return at < 0 ? rest : Secret.HIDDEN + rest.substring(at);
    }

    /** What a load is aimed at, for display: a URL, or a command after {@code exec:}. */
    public static String target(String target) {
        return target.regionMatches(true, 0, COMMAND, 0, COMMAND.length()) ? command(target) : url(target);
    }

    /** A command for display: {@code send.py --token ***}, {@code PGPASSWORD=*** psql}; URLs in it as {@link #line} shows them. */
    public static String command(String command) {
        String shown = COOKIES_OF_COMMAND.matcher(line(command)).replaceAll("$1" + Secret.HIDDEN);
        shown = USER_OF_COMMAND.matcher(shown).replaceAll("$1" + Secret.HIDDEN);
        return SECRET_OF_COMMAND
                .matcher(shown)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1) + Secret.HIDDEN));
    }

    /** A command-line word for display. It may be a URL or end in one, with or without white space. */
    public static String word(String word) {
        return LIKE_URL.matcher(word).find() ? url(word) : word;
    }

    /** A line of text with possible URLs, for display: {@code GET http://host/path?token=***}. */
    public static String line(String text) {
        return WORD.matcher(text).replaceAll(found -> Matcher.quoteReplacement(unquoted(found.group())));
    }

    /** Strips punctuation that surrounds a URL in a sentence. */
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
