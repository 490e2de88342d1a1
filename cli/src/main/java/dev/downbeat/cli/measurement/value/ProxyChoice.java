package dev.downbeat.cli.measurement.value;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The proxy for a service. Environment variables apply only with {@code env}, so that no forgotten proxy is measured.
 *
 * @param environment environment of this process
 */
public record ProxyChoice(Map<String, String> environment) {
    private static final String OF_ENVIRONMENT = "env";

    /** The proxy that an option's value names. */
    public Optional<Proxy> of(String word, HttpEndpoint service) {
        if (!word.equals(OF_ENVIRONMENT)) {
            return word.equals("none") ? Optional.empty() : Optional.of(Proxy.parse(word));
        }
        return isExcepted(service)
                ? Optional.empty()
                : ofEnvironment(service.tls()).map(Proxy::parse);
    }

    /** The common proxy for all these services. */
    public Optional<Proxy> of(String word, List<HttpEndpoint> services) {
        List<Optional<Proxy>> through =
                services.stream().map(one -> of(word, one)).distinct().toList();
        Refusal.when(
                through.size() > 1,
                "--proxy env leads these services different ways: give one --proxy URL, or --proxy none");
        return through.get(0);
    }

    /**
     * Variables as curl reads them. {@code HTTP_PROXY} in capitals is ignored, since a web server may set it from a
     * header.
     */
    private Optional<String> ofEnvironment(boolean tls) {
        return Stream.of(tls ? "https_proxy" : "http_proxy", tls ? "HTTPS_PROXY" : "", "all_proxy", "ALL_PROXY")
                .map(name -> environment.getOrDefault(name, ""))
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    private boolean isExcepted(HttpEndpoint service) {
        String host = service.host().toLowerCase(Locale.ROOT);
        String names = environment.getOrDefault("no_proxy", environment.getOrDefault("NO_PROXY", ""));
        return Arrays.stream(names.toLowerCase(Locale.ROOT).split("[, ]+"))
                .filter(name -> !name.isEmpty())
                .map(name -> name.startsWith(".") ? name.substring(1) : name)
                .anyMatch(name -> name.equals("*") || host.equals(name) || host.endsWith("." + name));
    }
}
