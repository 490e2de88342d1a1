package dev.downbeat.sqs;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the user calls the queue: its URL, or its name.
 *
 * @param text as given
 */
record QueueName(String text) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo");
    private static final Pattern AWS =
            Pattern.compile("(?:sqs(?:-fips)?\\.([a-z0-9-]+)|([a-z0-9-]+)\\.queue)\\.amazonaws\\.com(?:\\.cn)?");

    QueueName {
        if (!isUrl(text) && !NAME.matcher(text).matches()) {
            throw new IllegalArgumentException("a queue must be a URL, or a name of at most 80 letters, digits, - and _"
                    + " that may end in .fifo, but was '" + text + "'");
        }
        if (isUrl(text)) {
            check(text);
        }
    }

    private static boolean isUrl(String text) {
        return text.startsWith("http://") || text.startsWith("https://");
    }

    private static void check(String text) {
        URI uri = URI.create(text);
        if (uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawQuery() != null) {
            throw new IllegalArgumentException("a queue's URL is https://HOST/ACCOUNT/NAME");
        }
    }

    boolean isUrl() {
        return isUrl(text);
    }

    String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    boolean isFifo() {
        return text.endsWith(".fifo");
    }

    /** The region that the URL names, if it is one of AWS. */
    Optional<String> region() {
        if (!isUrl()) {
            return Optional.empty();
        }
        Matcher aws = AWS.matcher(URI.create(text).getHost());
        if (!aws.matches()) {
            return Optional.empty();
        }
        return Optional.ofNullable(aws.group(1) == null ? aws.group(2) : aws.group(1));
    }

    /** Where the service is that the URL names, if it is not AWS. */
    Optional<URI> endpoint() {
        if (!isUrl() || region().isPresent()) {
            return Optional.empty();
        }
        URI uri = URI.create(text);
        return Optional.of(URI.create(uri.getScheme() + "://" + uri.getRawAuthority()));
    }

    /** The host for a description; empty for a name. */
    String host() {
        return isUrl() ? URI.create(text).getRawAuthority() : "";
    }
}
