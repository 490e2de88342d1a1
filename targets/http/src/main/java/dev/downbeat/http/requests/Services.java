package dev.downbeat.http.requests;

import dev.downbeat.http.options.HttpEndpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The services of a set of requests.
 *
 * @param all distinct services, in the order of the requests; their paths are ignored
 * @param ofEach index of each request's service
 * @param hosts distinct host names: cookies belong to a host, regardless of its port
 * @param hostOf index of each service's host
 */
@SuppressWarnings("ArrayRecordComponent")
record Services(List<HttpEndpoint> all, int[] ofEach, List<String> hosts, int[] hostOf) {
    /** The services of requests, in order. */
    static Services of(List<Compiler.Compiled> requests) {
        List<HttpEndpoint> all = new ArrayList<>();
        List<String> hosts = new ArrayList<>();
        List<Integer> hostOf = new ArrayList<>();
        Map<String, Integer> places = new HashMap<>();
        int[] ofEach = new int[requests.size()];
        for (int i = 0; i < ofEach.length; i++) {
            HttpEndpoint endpoint = requests.get(i).endpoint();
            ofEach[i] = places.computeIfAbsent(url(endpoint).toLowerCase(Locale.ROOT), added -> {
                String host = endpoint.host().toLowerCase(Locale.ROOT);
                if (!hosts.contains(host)) {
                    hosts.add(host);
                }
                hostOf.add(hosts.indexOf(host));
                all.add(endpoint);
                return all.size() - 1;
            });
            if (all.size() > 1 && all.stream().anyMatch(one -> one.unixSocket().isPresent())) {
                throw requests.get(i)
                        .request()
                        .spot()
                        .refusal("a Unix socket is the only service of a run: " + url(endpoint) + " is another than "
                                + url(all.get(0)) + "; give each a run of its own");
            }
        }
        return new Services(
                List.copyOf(all),
                ofEach,
                List.copyOf(hosts),
                hostOf.stream().mapToInt(place -> place).toArray());
    }

    private static String url(HttpEndpoint endpoint) {
        return (endpoint.tls() ? "https://" : endpoint.unixSocket().isPresent() ? "unix:" : "http://")
                + (endpoint.unixSocket().isPresent() ? endpoint.address() : endpoint.authority());
    }

    /** A one-line description: {@code http://localhost:8080}, {@code 2 services: http://a, https://b}. */
    String describe() {
        String urls = all.stream().map(Services::url).collect(Collectors.joining(", "));
        return all.size() == 1 ? urls : all.size() + " services: " + urls;
    }
}
