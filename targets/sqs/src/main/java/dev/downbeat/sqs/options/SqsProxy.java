package dev.downbeat.sqs.options;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The proxy for a service, for all transports. Environment variables and system properties are those of the SDK and
 * most other programs: {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}, in either case, and {@code
 * https.proxyHost} and its siblings. Immutable.
 */
public final class SqsProxy {
    private static final int WEB_PORT = 80;

    private final boolean asConfigured;
    private final @Nullable URI uri;

    private SqsProxy(boolean asConfigured, @Nullable URI uri) {
        this.asConfigured = asConfigured;
        this.uri = uri;
    }

    /** From the environment and system properties. */
    public static SqsProxy configured() {
        return new SqsProxy(true, null);
    }

    /** No proxy, regardless of these. */
    public static SqsProxy none() {
        return new SqsProxy(false, null);
    }

    /**
     * A given proxy.
     *
     * @param proxy {@code http://HOST:PORT}
     */
    public static SqsProxy of(URI proxy) {
        return new SqsProxy(false, checked(proxy));
    }

    private static URI checked(URI proxy) {
        if (proxy.getHost() == null || !"http".equals(proxy.getScheme())) {
            throw new IllegalArgumentException("a proxy must be http://HOST:PORT");
        }
        return proxy;
    }

    /** The proxy for a service; empty for a direct connection. */
    public Optional<URI> to(URI service) {
        return asConfigured ? to(service, System.getenv()) : Optional.ofNullable(uri);
    }

    public static int port(URI proxy) {
        return proxy.getPort() < 0 ? WEB_PORT : proxy.getPort();
    }

    /** The user name before the password, if there is one. */
    public static Optional<String> user(URI proxy) {
        return Optional.ofNullable(proxy.getUserInfo()).map(text -> text.split(":", 2)[0]);
    }

    public static Optional<String> password(URI proxy) {
        return Optional.ofNullable(proxy.getUserInfo())
                .filter(text -> text.contains(":"))
                .map(text -> text.split(":", 2)[1]);
    }

    /** Without user and password. */
    public static String shown(URI proxy) {
        return proxy.getHost() + ":" + port(proxy);
    }

    public static Optional<URI> to(URI service, Map<String, String> environment) {
        String host = String.valueOf(service.getHost());
        boolean tls = "https".equals(service.getScheme());
        String property = System.getProperty((tls ? "https" : "http") + ".proxyHost");
        if (property != null && !property.isEmpty()) {
            String port = System.getProperty((tls ? "https" : "http") + ".proxyPort", tls ? "443" : "80");
            return matches(System.getProperty("http.nonProxyHosts", "localhost|127.*|[::1]"), "\\|", host)
                    ? Optional.empty()
                    : Optional.of(URI.create("http://" + property + ":" + port));
        }
        String variable = (tls ? "https" : "http") + "_proxy";
        return of(environment, variable)
                .filter(value -> !matches(of(environment, "no_proxy").orElse(""), "[, ]+", host))
                .map(value -> parse(variable, value));
    }

    /** The value may contain a password, so messages leave it out. */
    private static URI parse(String variable, String value) {
        try {
            return checked(new URI(value.contains("://") ? value : "http://" + value));
        } catch (URISyntaxException | IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "environment variable " + variable + ": a proxy must be http://HOST:PORT");
        }
    }

    /** Lower case takes precedence, as in most programs. */
    private static Optional<String> of(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name))
                .or(() -> Optional.ofNullable(environment.get(name.toUpperCase(Locale.ROOT))))
                .filter(value -> !value.isBlank());
    }

    private static boolean matches(String patterns, String separator, String host) {
        List<String> all = Arrays.stream(patterns.split(separator))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .toList();
        return all.stream().anyMatch(pattern -> matches(pattern, host));
    }

    private static boolean matches(String pattern, String host) {
        if (pattern.contains("*")) {
            String regex = "\\Q" + pattern.replace("*", "\\E.*\\Q") + "\\E";
            return Pattern.compile(regex, Pattern.CASE_INSENSITIVE)
                    .matcher(host)
                    .matches();
        }
        String bare = pattern.startsWith(".") ? pattern.substring(1) : pattern;
        return host.equalsIgnoreCase(bare)
                || host.toLowerCase(Locale.ROOT).endsWith("." + bare.toLowerCase(Locale.ROOT));
    }
}
