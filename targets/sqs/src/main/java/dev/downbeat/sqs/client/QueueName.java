package dev.downbeat.sqs.client;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The user's name for the queue: its URL or its name.
 *
 * @param text as given
 */
public record QueueName(String text) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo");
    /** Amazon's service host names with a region: old, new, dual-stack, FIPS and VPC endpoints, of all partitions. */
    private static final Pattern AWS = Pattern.compile(
            "(?:(?<vpc>[a-z0-9-]+\\.)?sqs(?<fips>-fips)?\\.(?<region>[a-z]{2,}(?:-[a-z]+)+-\\d)\\.(?<vpce>vpce\\.)?|"
                    + "(?<old>[a-z0-9-]+)\\.queue\\.)(?<domain>"
                    + "amazonaws\\.com(?:\\.cn)?|amazonaws\\.eu|api\\.aws|api\\.amazonwebservices\\.com\\.cn|"
                    + "c2s\\.ic\\.gov|sc2s\\.sgov\\.gov|cloud\\.adc-e\\.uk|csp\\.hci\\.ic\\.gov)");

    /** The oldest host name, without a region. */
    private static final String OLDEST = "queue.amazonaws.com";

    private static final String OLDEST_REGION = "us-east-1";

    public QueueName {
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

    public boolean isUrl() {
        return isUrl(text);
    }

    public String name() {
        return text.substring(text.lastIndexOf('/') + 1);
    }

    public boolean isFifo() {
        return text.endsWith(".fifo");
    }

    static boolean isAmazon(String host) {
        return host.equals(OLDEST) || AWS.matcher(host).matches();
    }

    /** The region in the URL, if it is an AWS host. */
    Optional<String> region() {
        if (!isUrl()) {
            return Optional.empty();
        }
        String host = URI.create(text).getHost();
        if (host.equals(OLDEST)) {
            return Optional.of(OLDEST_REGION);
        }
        Matcher aws = AWS.matcher(host);
        return aws.matches()
                ? Optional.ofNullable(aws.group("region") == null ? aws.group("old") : aws.group("region"))
                : Optional.empty();
    }

    /** The endpoint in the URL, unless the SDK would derive it from the region. */
    Optional<URI> endpoint() {
        if (!isUrl()) {
            return Optional.empty();
        }
        URI uri = URI.create(text);
        Matcher aws = AWS.matcher(uri.getHost());
        boolean usual = uri.getHost().equals(OLDEST)
                || (aws.matches()
                        && aws.group("vpc") == null
                        && aws.group("fips") == null
                        && !aws.group("domain").startsWith("api."));
        return usual ? Optional.empty() : Optional.of(URI.create(uri.getScheme() + "://" + uri.getRawAuthority()));
    }

    /** The account in the URL; empty if it has none. */
    public Optional<String> account() {
        Matcher in = Pattern.compile(".*/(\\d{12})/[^/]+").matcher(text);
        return in.matches() ? Optional.of(in.group(1)) : Optional.empty();
    }
}
