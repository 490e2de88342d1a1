package dev.downbeat.gatling;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.internal.Expressions;
import java.util.function.Function;

/**
 * A request that has a name and no method yet. Addresses are absolute or begin with the protocol's {@code baseUrl}, and may
 * hold expressions of Gatling's language. Immutable.
 */
public final class DownbeatHttp {
    private final String name;

    DownbeatHttp(String name) {
        this.name = name;
    }

    /** A GET. */
    public DownbeatHttpRequest get(String url) {
        return request("GET", url);
    }

    /** A GET of an address that is worked out for each user. */
    public DownbeatHttpRequest get(Function<Session, String> url) {
        return request("GET", url);
    }

    /** A POST. */
    public DownbeatHttpRequest post(String url) {
        return request("POST", url);
    }

    /** A POST to an address that is worked out for each user. */
    public DownbeatHttpRequest post(Function<Session, String> url) {
        return request("POST", url);
    }

    /** A PUT. */
    public DownbeatHttpRequest put(String url) {
        return request("PUT", url);
    }

    /** A DELETE. */
    public DownbeatHttpRequest delete(String url) {
        return request("DELETE", url);
    }

    /**
     * A request of any method.
     *
     * @param method a token; case is kept
     */
    public DownbeatHttpRequest request(String method, String url) {
        return new DownbeatHttpRequest(
                Expressions.toStringExpression(name), method, Expressions.toStringExpression(url));
    }

    /** A request of any method to an address that is worked out for each user. */
    public DownbeatHttpRequest request(String method, Function<Session, String> url) {
        return new DownbeatHttpRequest(
                Expressions.toStringExpression(name), method, Expressions.javaFunctionToExpression(url));
    }
}
