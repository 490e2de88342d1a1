package dev.downbeat.http.wire;

import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * Why TLS failed, in the user's words, whichever implementation failed. Neither the JDK nor BoringSSL has types for what
 * the server sent, so this is the one place that reads their messages.
 */
final class TlsReason {
    static final String PREFIX = "TLS: ";

    static final String NO_HTTP_2 =
            "the server did not negotiate HTTP/2 (ALPN): use HTTP/1.1 (API: without http2), or let it choose (--http auto)";

    private static final String NO_TLS = "the server does not speak TLS (try http://)";
    private static final String NO_VERSION = "the server and this client share no TLS version";

    private static final List<String> NO_RECORD =
            List.of("unsupported or unrecognized ssl message", "plaintext connection", "not an ssl/tls record");

    /** The JDK's message if the server chose an old version instead of sending an alert. */
    private static final String CHOSE_VERSION = "the server selected protocol version";

    /** Newer JDKs put the alert's name before each message. */
    private static final Pattern ALERT_BEFORE = Pattern.compile("^\\(\\w+\\) ");

    /** The JDK's message, with the name of the alert. */
    private static final Pattern JDK_ALERT = Pattern.compile("Received fatal alert: (\\w+)");

    /** BoringSSL's message: eight hexadecimal digits, of which the last three are the reason (err.h). */
    private static final Pattern BORINGSSL_ERROR = Pattern.compile("error:[0-9a-fA-F]{5}([0-9a-fA-F]{3}):");

    /** BoringSSL's reasons from here on are received alerts (ssl.h, SSL_AD_REASON_OFFSET). */
    private static final int FIRST_ALERT = 1000;

    private static final int UNSUPPORTED_PROTOCOL = 240;

    /** As {@code Date} prints it, without the time. */
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MMM dd yyyy", Locale.US);

    private static final int WORDS_OF_DATE = 6;

    private TlsReason() {}

    static String of(SSLException failed) {
        List<Throwable> causes = causes(failed);
        return ofCertificate(causes)
                .or(() -> ofVersion(causes))
                .or(() -> alert(causes).map(Alert::words))
                .or(() -> ofRecord(causes))
                .orElseGet(() -> ofRoot(causes.get(causes.size() - 1)));
    }

    /** Whether the server ended the handshake because it speaks none of the offered protocols. */
    static boolean isNoHttp2(SSLException failed) {
        return alert(causes(failed)).equals(Optional.of(Alert.NO_APPLICATION_PROTOCOL));
    }

    private static List<Throwable> causes(Throwable thrown) {
        List<Throwable> all = new ArrayList<>();
        Set<Throwable> visited = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Throwable cause = thrown; cause != null && visited.add(cause); cause = cause.getCause()) {
            all.add(cause);
        }
        return all;
    }

    private static Optional<String> ofCertificate(List<Throwable> causes) {
        String certificate = causes.stream()
                        .anyMatch(cause -> cause instanceof CertPathValidatorException path && path.getIndex() > 0)
                ? "a CA certificate of the server's"
                : "the server's certificate";
        for (Throwable cause : causes) {
            if (cause instanceof CertificateExpiredException) {
                return Optional.of(certificate + " expired"
                        + day(cause).map(day -> " on " + day).orElse("") + " (-k accepts it; API: trustAll)");
            }
            if (cause instanceof CertificateNotYetValidException) {
                return Optional.of(certificate + " is not valid "
                        + day(cause).map(day -> "before " + day).orElse("yet") + " (is this machine's clock right?)");
            }
        }
        boolean untrusted = causes.stream()
                .anyMatch(cause -> cause instanceof CertPathBuilderException
                        || text(cause).contains("pkix")
                        || text(cause).contains("unable to find valid certification path"));
        return untrusted
                ? Optional.of(
                        "the server's certificate is not trusted (--cacert FILE trusts it, -k any; API: trust, trustAll)")
                : Optional.empty();
    }

    /** The JDK gives the date only as "NotAfter: Thu Jan 01 00:00:00 UTC 2026". */
    private static Optional<LocalDate> day(Throwable cause) {
        String[] words =
                String.valueOf(cause.getMessage()).replaceFirst("^\\w+: ", "").split(" ");
        if (words.length != WORDS_OF_DATE) {
            return Optional.empty();
        }
        try {
            return Optional.of(LocalDate.parse(words[1] + " " + words[2] + " " + words[5], DAY));
        } catch (DateTimeParseException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<String> ofVersion(List<Throwable> causes) {
        boolean isMismatch = causes.stream()
                .anyMatch(cause -> text(cause).startsWith(CHOSE_VERSION)
                        || boringSslReason(cause).orElse(0) == UNSUPPORTED_PROTOCOL);
        return isMismatch ? Optional.of(NO_VERSION) : Optional.empty();
    }

    private static Optional<Alert> alert(List<Throwable> causes) {
        for (Throwable cause : causes) {
            Matcher name = JDK_ALERT.matcher(message(cause));
            int code = boringSslReason(cause).orElse(0) - FIRST_ALERT;
            Optional<Alert> alert = Arrays.stream(Alert.values())
                    .filter(one -> one.code == code
                            || name.matches() && one.name().equals(name.group(1).toUpperCase(Locale.ROOT)))
                    .findFirst();
            if (alert.isPresent()) {
                return alert;
            }
        }
        return Optional.empty();
    }

    private static OptionalInt boringSslReason(Throwable cause) {
        Matcher error = BORINGSSL_ERROR.matcher(String.valueOf(cause.getMessage()));
        return error.lookingAt() ? OptionalInt.of(Integer.parseInt(error.group(1), 16)) : OptionalInt.empty();
    }

    private static Optional<String> ofRecord(List<Throwable> causes) {
        boolean none = causes.stream()
                .map(TlsReason::text)
                .anyMatch(text -> NO_RECORD.stream().anyMatch(text::contains));
        return none ? Optional.of(NO_TLS) : Optional.empty();
    }

    private static String ofRoot(Throwable root) {
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : message(root);
        return message.lines().findFirst().orElse(message);
    }

    private static String message(Throwable cause) {
        return ALERT_BEFORE.matcher(String.valueOf(cause.getMessage())).replaceFirst("");
    }

    private static String text(Throwable cause) {
        return message(cause).toLowerCase(Locale.ROOT);
    }

    /** Alerts (RFC 8446, 6.2) with a remedy. */
    private enum Alert {
        HANDSHAKE_FAILURE(
                40,
                "the server refuses the handshake: it may want a client certificate (--client-cert; API: clientKey)"
                        + " or other ciphers"),
        BAD_CERTIFICATE(42, Alert.UNACCEPTED),
        UNSUPPORTED_CERTIFICATE(43, Alert.UNACCEPTED),
        CERTIFICATE_REVOKED(
                44, "the server says that the client certificate was revoked (--client-cert; API: clientKey)"),
        CERTIFICATE_EXPIRED(
                45, "the server says that the client certificate has expired (--client-cert; API: clientKey)"),
        CERTIFICATE_UNKNOWN(46, Alert.UNACCEPTED),
        UNKNOWN_CA(
                48, "the server does not trust the issuer of the client certificate (--client-cert; API: clientKey)"),
        PROTOCOL_VERSION(70, NO_VERSION),
        UNRECOGNIZED_NAME(112, "the server does not know this host name (--sni gives another)"),
        CERTIFICATE_REQUIRED(116, "the server wants a client certificate (--client-cert; API: clientKey)"),
        NO_APPLICATION_PROTOCOL(120, NO_HTTP_2);

        private static final String UNACCEPTED =
                "the server wants a client certificate, or another than this one (--client-cert; API: clientKey)";

        private final int code;
        private final String words;

        Alert(int code, String words) {
            this.code = code;
            this.words = words;
        }

        String words() {
            return words;
        }
    }
}
