package dev.downbeat.sqs.options;

/**
 * Which HTTP client the SDK uses. They report different parts of a request:
 *
 * <table>
 * <caption>What is known of each request</caption>
 * <tr><th></th><th>pool wait</th><th>lookup, connect, TLS</th><th>position</th><th>{@code Connection: close}</th></tr>
 * <tr><td>DOWNBEAT</td><td>yes</td><td>yes</td><td>yes</td><td>yes</td></tr>
 * <tr><td>APACHE</td><td>yes</td><td>yes; connect of https only</td><td>yes</td><td>yes</td></tr>
 * <tr><td>NETTY</td><td>yes</td><td>yes</td><td>yes</td><td>yes</td></tr>
 * <tr><td>URL_CONNECTION</td><td>has no pool limit</td><td>no</td><td>no</td><td>yes</td></tr>
 * <tr><td>CRT</td><td>with the connect of a new connection</td><td>no</td><td>no</td><td>yes</td></tr>
 * </table>
 *
 * <p>What is not known is part of the wait for the first byte.
 */
public enum SqsTransport {
    /** Downbeat's own engine behind the SDK's client interface. */
    DOWNBEAT("Downbeat"),

    /** The SDK's blocking client on Apache HttpClient 5. */
    APACHE("Apache 5"),

    /** The SDK's non-blocking client on Netty. */
    NETTY("Netty"),

    /**
     * The SDK's blocking client on the JDK's {@code HttpURLConnection}. It opens one connection per call in progress
     * ({@link SqsOptions.Draft#maxInFlight}). It keeps as many idle as the system property {@code
     * http.maxConnections} allows, 5 by default. The pool settings do not apply.
     */
    URL_CONNECTION("URLConnection"),

    /**
     * The SDK's non-blocking client on the AWS Common Runtime, which is native code; {@code aws-crt-client} must be on
     * the class path. It trusts only the system's certificates.
     */
    CRT("CRT");

    private final String title;

    SqsTransport(String title) {
        this.title = title;
    }

    /** The common name. */
    public String title() {
        return title;
    }
}
