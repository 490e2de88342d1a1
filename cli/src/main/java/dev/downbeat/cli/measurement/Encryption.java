package dev.downbeat.cli.measurement;

import dev.downbeat.cli.measurement.option.CliOption;
import dev.downbeat.cli.measurement.option.CliOption.TargetKind;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.tls.PemKey;
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
import java.util.function.Consumer;
import picocli.CommandLine.TypeConversionException;

/**
 * Trust and encryption. Passwords come from the environment, since other users can read command lines.
 * {@link CliOption} describes each component.
 */
public record Encryption(
        @CliOption(
                names = {"-k", "--insecure"},
                only = {TargetKind.HTTP, TargetKind.SQS, TargetKind.CONNECT},
                help = "Does not check the server's certificate.")
        boolean insecure,

        @CliOption(
                names = "--cacert",
                label = "FILE",
                only = {TargetKind.HTTP, TargetKind.SQS, TargetKind.CONNECT},
                help = "A certificate (PEM) to trust.")
        Optional<Path> cacert,

        @CliOption(
                names = "--truststore",
                label = "FILE",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Certificates to trust (PKCS12 or JKS); password in $" + Encryption.STORE_PASSWORD + ".")
        Optional<Path> truststore,

        @CliOption(
                names = "--client-cert",
                label = "FILE",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Client key and certificate (PKCS12, JKS or PEM); password in $" + Encryption.KEY_PASSWORD + ".")
        Optional<Path> clientCert,

        @CliOption(
                names = "--client-key",
                label = "FILE",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Client key (PEM), if it is not in the --client-cert file.")
        Optional<Path> clientKey,

        @CliOption(
                names = "--sni",
                label = "NAME",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "The server's name, if it is not the target's host.")
        Optional<String> sni,

        @CliOption(
                names = "--tls-version",
                label = "VERSION",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "1.2 or 1.3 only. Default: either.")
        Optional<String> version,

        @CliOption(
                names = "--no-resume",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "Disables TLS session resumption.")
        boolean noResume,

        @CliOption(
                names = "--tls-engine",
                label = "ENGINE",
                defaultValue = "auto",
                only = {TargetKind.HTTP, TargetKind.CONNECT},
                help = "TLS implementation: boringssl (native, from downbeat-boringssl.jar), jdk, or auto (default): "
                        + "boringssl where it loads.")
        TlsEngine engine) {
    private static final String STORE_PASSWORD = "DOWNBEAT_TRUSTSTORE_PASSWORD";
    private static final String KEY_PASSWORD = "DOWNBEAT_CLIENT_CERT_PASSWORD";

    public Encryption {
        Refusal.when(
                (insecure ? 1 : 0) + (cacert.isPresent() ? 1 : 0) + (truststore.isPresent() ? 1 : 0) > 1,
                "--insecure, --cacert and --truststore are mutually exclusive: there is one way to check a server");
        Refusal.when(
                clientKey.isPresent() && clientCert.isEmpty(),
                "--client-key requires --client-cert: a key needs its certificate");
        Refusal.when(
                !version.orElse("1.3").matches("1\\.[23]"),
                "--tls-version must be 1.2 or 1.3, but was '" + version.orElse("") + "'");
    }

    public Consumer<HttpOptions.Draft> toHttpOptions() throws IOException {
        for (Optional<Path> file : List.of(truststore, clientCert, clientKey)) {
            if (file.filter(Files::isDirectory).isPresent()) {
                throw new IOException(file.get() + ": is a folder");
            }
        }
        Optional<X509Certificate> trusted = certificate();
        Optional<KeyStore> trustStore = truststore.isPresent()
                ? Optional.of(store("--truststore", truststore.get(), STORE_PASSWORD))
                : Optional.empty();
        Optional<KeyStore> key = clientCert.isPresent() ? Optional.of(ownKey(clientCert.get())) : Optional.empty();
        return draft -> {
            draft.tls.verify = !insecure;
            draft.tls.resume = !noResume;
            draft.tls.trustStore = trustStore;
            trusted.ifPresent(draft.tls::trust);
            key.ifPresent(store -> draft.tls.clientKey(store, password(KEY_PASSWORD)));
            draft.tls.serverName = sni;
            version.ifPresent(only -> draft.tls.protocols = List.of("TLSv" + only));
        };
    }

    private KeyStore ownKey(Path certificate) throws IOException {
        return clientKey.isPresent() || PemKey.isPem(certificate)
                ? PemKey.store(certificate, clientKey.orElse(certificate), password(KEY_PASSWORD))
                : store("--client-cert", certificate, KEY_PASSWORD);
    }

    public Optional<X509Certificate> certificate() throws IOException {
        return cacert.isPresent() ? Optional.of(certificate(cacert.get())) : Optional.empty();
    }

    private static char[] password(String variable) {
        String value = System.getenv(variable);
        return value == null ? new char[0] : value.toCharArray();
    }

    private static KeyStore store(String option, Path file, String variable) throws IOException {
        Files.newInputStream(file).close(); // a missing file has its own message
        try {
            return KeyStore.getInstance(file.toFile(), password(variable));
        } catch (GeneralSecurityException | IOException refused) {
            throw new TypeConversionException(
                    option + " " + file + " cannot be opened as PKCS12 or JKS with the password" + " in $" + variable);
        }
    }

    private static X509Certificate certificate(Path file) throws IOException {
        Refusal.when(Files.isDirectory(file), "--cacert " + file + " is a folder, not a certificate in PEM");
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (CertificateException malformed) {
            throw new TypeConversionException("--cacert " + file + " is not a certificate in PEM");
        }
    }

    /** {@code --tls-engine}: the TLS implementation. */
    public enum TlsEngine {
        JDK,
        /** BoringSSL, from a separate jar. */
        BORINGSSL,
        /** BoringSSL where it is available. */
        AUTO
    }
}
