package dev.downbeat.sqs.options;

import dev.downbeat.exchange.Secret;
import dev.downbeat.http.options.HttpOptions.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The proxy for each service, for all transports. Environment variables and system properties are those of the SDK and
 * most other programs: {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}, in either case, and {@code
 * https.proxyHost} and its siblings. Immutable.
 */
@FunctionalInterface
public interface SqsProxy {
    /** The proxy for a service; empty for a direct connection. */
    Optional<Proxy> to(URI service);

    /** From the environment and system properties. */
    static SqsProxy configured() {
        return service -> to(service, System.getenv());
    }

    static SqsProxy none() {
        return service -> Optional.empty();
    }

    /** A given proxy, {@code http://HOST:PORT}; the default port is 80. */
    static SqsProxy of(URI uri) {
        Optional<Proxy> proxy = Optional.of(proxy(uri));
        return service -> proxy;
    }

    private static Proxy proxy(URI uri) {
        if (uri.getHost() == null || !"http".equals(uri.getScheme())) {
            throw new IllegalArgumentException("a proxy must be http://HOST:PORT");
        }
        return new Proxy(
                uri.getHost().replaceAll("[\\[\\]]", ""),
                uri.getPort() < 0 ? 80 : uri.getPort(),
                Optional.ofNullable(uri.getUserInfo()).map(Secret::of));
    }

    /** The configured proxy for a service, given the environment. */
    static Optional<Proxy> to(URI service, Map<String, String> environment) {
        String host = String.valueOf(service.getHost());
        boolean tls = "https".equals(service.getScheme());
        String property = System.getProperty((tls ? "https" : "http") + ".proxyHost");
        if (property != null && !property.isEmpty()) {
            String port = System.getProperty((tls ? "https" : "http") + ".proxyPort", tls ? "443" : "80");
            return Proxy.isExcepted(host, System.getProperty("http.nonProxyHosts", "localhost|127.*|[::1]"))
                    ? Optional.empty()
                    : Optional.of(proxy(URI.create("http://" + property + ":" + port)));
        }
        String variable = (tls ? "https" : "http") + "_proxy";
        String exceptions = Proxy.variable(environment, "no_proxy", "NO_PROXY").orElse("");
        return Proxy.variable(environment, variable, variable.toUpperCase(Locale.ROOT))
                .filter(value -> !Proxy.isExcepted(host, exceptions))
                .map(value -> parse(variable, value));
    }

    /** The value may contain a password, so messages leave it out. */
    private static Proxy parse(String variable, String value) {
        try {
            return proxy(new URI(value.contains("://") ? value : "http://" + value));
        } catch (URISyntaxException | IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "environment variable " + variable + ": a proxy must be http://HOST:PORT");
        }
    }
}
