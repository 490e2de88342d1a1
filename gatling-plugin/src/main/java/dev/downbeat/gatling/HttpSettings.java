package dev.downbeat.gatling;

import dev.downbeat.http.HttpOptions;
import java.time.Duration;

/**
 * How Downbeat's own HTTP requests are sent.
 *
 * @param baseUrl what relative addresses begin with; may be empty
 * @param connections to each service, at most
 * @param connectTimeout of a connect and of a TLS handshake
 * @param requestTimeout from when a user asks
 * @param keepAlive whether connections are used again
 * @param verify whether certificates are checked
 */
record HttpSettings(
        String baseUrl,
        int connections,
        Duration connectTimeout,
        Duration requestTimeout,
        boolean keepAlive,
        boolean verify) {
    HttpSettings {
        if (connections < 1 || connections > 65_535) {
            throw new IllegalArgumentException("connections must be from 1 to 65535, but was " + connections);
        }
        positive("connectTimeout", connectTimeout);
        positive("requestTimeout", requestTimeout);
    }

    private static void positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + " must be above zero, but was " + time);
        }
    }

    static HttpSettings defaults() {
        return new HttpSettings("", 64, Duration.ofSeconds(10), Duration.ofSeconds(60), true, true);
    }

    HttpSettings withBaseUrl(String url) {
        return new HttpSettings(url, connections, connectTimeout, requestTimeout, keepAlive, verify);
    }

    HttpSettings withConnections(int count) {
        return new HttpSettings(baseUrl, count, connectTimeout, requestTimeout, keepAlive, verify);
    }

    HttpSettings withConnectTimeout(Duration timeout) {
        return new HttpSettings(baseUrl, connections, timeout, requestTimeout, keepAlive, verify);
    }

    HttpSettings withRequestTimeout(Duration timeout) {
        return new HttpSettings(baseUrl, connections, connectTimeout, timeout, keepAlive, verify);
    }

    HttpSettings withKeepAlive(boolean reuse) {
        return new HttpSettings(baseUrl, connections, connectTimeout, requestTimeout, reuse, verify);
    }

    HttpSettings withVerify(boolean check) {
        return new HttpSettings(baseUrl, connections, connectTimeout, requestTimeout, keepAlive, check);
    }

    HttpOptions options() {
        return HttpOptions.builder()
                .connections(connections)
                .connectTimeout(connectTimeout)
                .keepAlive(keepAlive)
                .preconnect(false)
                .verify(verify)
                .build();
    }
}
