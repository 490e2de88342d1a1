package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.socket.SelfSignedCertificate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.CertPath;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpFailuresTest {
    private final HttpFailures failures = new HttpFailures("shop:80: ");

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            Connection reset by peer        | FAILED     | connection reset
            Broken pipe                     | FAILED     | connection reset
            Too many open files             | NEVER_SENT | too many open files (see ulimit -n)
            Cannot assign requested address | NEVER_SENT | cannot assign requested address (see net.ipv4.ip_local_port_range)
            Address already in use          | NEVER_SENT | cannot assign requested address (see net.ipv4.ip_local_port_range)
            Cannot allocate memory          | NEVER_SENT | no memory for another socket or process
            No buffer space available       | NEVER_SENT | no memory for another socket or process
            Connection refused              | FAILED     | shop:80: connection refused
            No route to host                | FAILED     | no route to host
            """)
    void a_failure_has_few_words_and_is_ours_if_this_process_is_at_a_limit(String message, Fate fate, String reason) {
        Outcome outcome = failures.of(new IOException(message));
        assertThat(outcome.fate()).isEqualTo(fate);
        assertThat(outcome.reason()).isEqualTo(reason);
        assertThat(failures.of(new IOException(message))).isSameAs(outcome);
    }

    @Test
    void a_connect_is_refused_or_times_out() {
        assertThat(HttpFailures.reasonOf(new ConnectException("Connection timed out")))
                .isEqualTo("connect timed out");
        assertThat(HttpFailures.reasonOf(new ConnectException())).isEqualTo("connection refused");
        assertThat(HttpFailures.reasonOf(new IOException())).isEqualTo("IOException");
    }

    @Test
    void a_failure_of_tls_is_named_by_its_first_cause_in_one_line() {
        String[][] expected = {
            {"Unsupported or unrecognized SSL message", "the server does not speak TLS (try http://)"},
            {"plaintext connection?", "the server does not speak TLS (try http://)"},
            {
                "PKIX path",
                "the server's certificate is not trusted (--cacert FILE trusts it, -k any; API: trust, trustAll)"
            },
            {"handshake", "handshake"},
        };
        for (String[] one : expected) {
            assertThat(HttpFailures.reasonOf(new SSLException(one[0]))).isEqualTo("TLS: " + one[1]);
        }
        assertThat(HttpFailures.reasonOf(new SSLException(
                        "outer", new IOException("between", new CertificateException("not for h\nsecond line")))))
                .isEqualTo("TLS: not for h");
        assertThat(HttpFailures.reasonOf(
                        new SSLException("outer", new IOException("unable to find valid certification path"))))
                .isEqualTo(
                        "TLS: the server's certificate is not trusted (--cacert FILE trusts it, -k any; API: trust, trustAll)");
        assertThat(HttpFailures.reasonOf(new SSLException("outer", new IllegalStateException())))
                .isEqualTo("TLS: IllegalStateException");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            Received fatal alert: certificate_required                                       | the server wants a client certificate (--client-cert; API: clientKey)
            error:1000045c:SSL routines:OPENSSL_internal:TLSV1_ALERT_CERTIFICATE_REQUIRED    | the server wants a client certificate (--client-cert; API: clientKey)
            Received fatal alert: protocol_version                                           | the server and this client share no TLS version
            error:1000042e:SSL routines:OPENSSL_internal:TLSV1_ALERT_PROTOCOL_VERSION        | the server and this client share no TLS version
            The server selected protocol version TLS10 is not accepted by client preferences | the server and this client share no TLS version
            error:100000f0:SSL routines:OPENSSL_internal:UNSUPPORTED_PROTOCOL                | the server and this client share no TLS version
            Received fatal alert: handshake_failure                                          | the server refuses the handshake: it may want a client certificate (--client-cert; API: clientKey) or other ciphers
            error:10000410:SSL routines:OPENSSL_internal:SSLV3_ALERT_HANDSHAKE_FAILURE       | the server refuses the handshake: it may want a client certificate (--client-cert; API: clientKey) or other ciphers
            error:10000458:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNRECOGNIZED_NAME       | the server does not know this host name (--sni gives another)
            Received fatal alert: no_application_protocol                                    | the server did not negotiate HTTP/2 (ALPN): use HTTP/1.1 (API: without http2), or let it choose (--http auto)
            error:10000460:SSL routines:OPENSSL_internal:TLSV1_ALERT_NO_APPLICATION_PROTOCOL | the server did not negotiate HTTP/2 (ALPN): use HTTP/1.1 (API: without http2), or let it choose (--http auto)
            not an SSL/TLS record: 485454502f312e31                                          | the server does not speak TLS (try http://)
            Received fatal alert: internal_error                                             | Received fatal alert: internal_error
            (certificate_required) Received fatal alert: certificate_required                | the server wants a client certificate (--client-cert; API: clientKey)
            (internal_error) Received fatal alert: internal_error                            | Received fatal alert: internal_error
            (protocol_version) The server selected protocol version TLS10 is not accepted    | the server and this client share no TLS version
            error:10000438:SSL routines:OPENSSL_internal:TLSV1_ALERT_INTERNAL_ERROR          | error:10000438:SSL routines:OPENSSL_internal:TLSV1_ALERT_INTERNAL_ERROR
            """)
    void what_a_server_says_before_it_ends_a_connection_is_the_same_with_both_TLS_engines(
            String message, String words) {
        assertThat(HttpFailures.reasonOf(new SSLException(message))).isEqualTo("TLS: " + words);
        assertThat(HttpFailures.reasonOf(new SSLException("outer", new SSLException(message))))
                .endsWith(words);
    }

    @Test
    void an_expired_certificate_is_not_called_untrusted() throws IOException, CertificateException {
        Exception expired = new CertificateExpiredException("NotAfter: Thu Jan 01 00:00:00 UTC 2026");
        assertThat(validity(expired, 0))
                .isEqualTo("TLS: the server's certificate expired on 2026-01-01 (-k accepts it; API: trustAll)");
        assertThat(validity(expired, 1))
                .isEqualTo(
                        "TLS: a CA certificate of the server's expired on 2026-01-01 (-k accepts it; API: trustAll)");
        assertThat(validity(new CertificateExpiredException(), 0))
                .isEqualTo("TLS: the server's certificate expired (-k accepts it; API: trustAll)");
        assertThat(validity(new CertificateNotYetValidException("NotBefore: Tue Jan 01 00:00:00 GMT+01:00 2030"), 0))
                .isEqualTo(
                        "TLS: the server's certificate is not valid before 2030-01-01 (is this machine's clock right?)");
    }

    private static String validity(Exception why, int index) throws IOException, CertificateException {
        X509Certificate any = SelfSignedCertificate.of(CertificateKey.EC).certificate();
        CertPath path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(any, any));
        SSLException failed = new SSLHandshakeException("PKIX path validation failed");
        failed.initCause(new CertPathValidatorException("validity check failed", why, path, index));
        return HttpFailures.reasonOf(failed);
    }

    @Test
    void statuses_from_400_on_are_failures() {
        assertThat(failures.ofStatus(399)).isEqualTo(Outcome.answered());
        assertThat(failures.ofStatus(400)).isEqualTo(Outcome.failedResponse("HTTP 400"));
        assertThat(failures.ofStatus(999)).isEqualTo(Outcome.failedResponse("HTTP 999"));
        assertThat(failures.ofStatus(999)).isSameAs(failures.ofStatus(999));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"127.0.0.2, 127.0.0.2:8080", "::1, [0:0:0:0:0:0:0:1]:8080"})
    void a_connection_that_fails_at_one_of_several_addresses_names_it(String host, String shown) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(host), 8080);
        Outcome refused = failures.of(new ConnectException("Connection refused"));
        assertThat(failures.at(address, refused))
                .isEqualTo(Outcome.failed("shop:80: connection refused (" + shown + ")"))
                .isSameAs(failures.at(address, refused));
        Outcome limited = OwnLimit.OPEN_FILES.outcome();
        assertThat(failures.at(address, limited)).isSameAs(limited);
    }
}
