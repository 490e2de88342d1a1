package dev.downbeat.cli;

import dev.downbeat.http.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Whom to trust and how to encrypt. Passwords come from the environment, since others can read a command line. */
final class EncryptionOptions {
    private static final String STORE_PASSWORD = "DOWNBEAT_TRUSTSTORE_PASSWORD";
    private static final String KEY_PASSWORD = "DOWNBEAT_CLIENT_CERT_PASSWORD";

    @Option(
            names = {"-k", "--insecure"},
            description = "Does not check the server's certificate.")
    boolean insecure;

    @Option(names = "--cacert", paramLabel = "FILE", description = "A certificate (PEM) to trust.")
    @Nullable
    Path cacert;

    @Option(
            names = "--truststore",
            paramLabel = "FILE",
            description = "Certificates to trust (PKCS12 or JKS); password in $" + STORE_PASSWORD + ".")
    @Nullable
    Path truststore;

    @Option(
            names = "--client-cert",
            paramLabel = "FILE",
            description = "Our key and certificate (PKCS12 or JKS); password in $" + KEY_PASSWORD + ".")
    @Nullable
    Path clientCert;

    @Option(names = "--sni", paramLabel = "NAME", description = "The server's name, if it is not the target's host.")
    @Nullable
    String sni;

    @Option(names = "--tls-version", paramLabel = "VERSION", description = "1.2 or 1.3 only. Default: either.")
    @Nullable
    String version;

    @Option(names = "--no-resume", description = "Makes every TLS handshake a full one.")
    boolean noResume;

    boolean isGiven() {
        return insecure
                || noResume
                || cacert != null
                || truststore != null
                || clientCert != null
                || sni != null
                || version != null;
    }

    void applyTo(TlsOptions.Builder tls) throws IOException {
        if ((insecure ? 1 : 0) + (cacert != null ? 1 : 0) + (truststore != null ? 1 : 0) > 1) {
            throw new TypeConversionException(
                    "--insecure, --cacert and --truststore are mutually exclusive: there is one way to check a server");
        }
        tls.verify(!insecure).resume(!noResume);
        if (cacert != null) {
            tls.trust(certificate(cacert));
        }
        if (truststore != null) {
            tls.trust(store("--truststore", truststore, STORE_PASSWORD));
        }
        if (clientCert != null) {
            tls.clientKey(store("--client-cert", clientCert, KEY_PASSWORD), password(KEY_PASSWORD));
        }
        if (sni != null) {
            tls.serverName(sni);
        }
        if (version != null) {
            if (!version.equals("1.2") && !version.equals("1.3")) {
                throw new TypeConversionException("--tls-version must be 1.2 or 1.3, but was '" + version + "'");
            }
            tls.protocols(List.of("TLSv" + version));
        }
    }

    /** The certificate to trust, if one is given; refuses two ways to check a server. */
    Optional<X509Certificate> certificate() throws IOException {
        if (insecure && cacert != null) {
            throw new TypeConversionException(
                    "--insecure and --cacert are mutually exclusive: there is one way to check a server");
        }
        return cacert == null ? Optional.empty() : Optional.of(certificate(cacert));
    }

    private static char[] password(String variable) {
        String value = System.getenv(variable);
        return value == null ? new char[0] : value.toCharArray();
    }

    private static KeyStore store(String option, Path file, String variable) throws IOException {
        Files.newInputStream(file).close(); // a missing file says so itself
        try {
            return KeyStore.getInstance(file.toFile(), password(variable));
        } catch (GeneralSecurityException | IOException refused) {
            throw new TypeConversionException(
                    option + " " + file + " cannot be opened as PKCS12 or JKS with the password" + " in $" + variable);
        }
    }

    private static X509Certificate certificate(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException notOne) {
            throw new TypeConversionException("--cacert " + file + " is not a certificate in PEM");
        }
    }
}
