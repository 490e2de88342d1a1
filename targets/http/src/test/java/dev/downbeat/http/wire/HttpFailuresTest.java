package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;
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
            Cannot allocate memory          | NEVER_SENT | no memory for another socket
            No buffer space available       | NEVER_SENT | no memory for another socket
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
            {"PKIX path", "the server's certificate is not trusted (--cacert FILE trusts it, -k any)"},
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
                .isEqualTo("TLS: the server's certificate is not trusted (--cacert FILE trusts it, -k any)");
        assertThat(HttpFailures.reasonOf(new SSLException("outer", new IllegalStateException())))
                .isEqualTo("TLS: IllegalStateException");
    }

    @Test
    void statuses_from_400_on_are_failures() {
        assertThat(failures.ofStatus(399)).isEqualTo(Outcome.answered());
        assertThat(failures.ofStatus(400)).isEqualTo(Outcome.failedResponse("HTTP 400"));
        assertThat(failures.ofStatus(999)).isEqualTo(Outcome.failedResponse("HTTP 999"));
        assertThat(failures.ofStatus(999)).isSameAs(failures.ofStatus(999));
    }
}
