package dev.downbeat.loopback.socket;

import dev.downbeat.loopback.options.CertificateKey;
import dev.downbeat.loopback.options.Durations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key and a certificate for localhost and 127.0.0.1, created by the JDK's keytool, because the JDK has no public API
 * for it. The private key is on disk only briefly, in a directory that only its owner can read. All servers of a
 * process share one, since creating it takes a second; their sessions are separate.
 *
 * <p>Immutable and thread-safe.
 */
public final class SelfSignedCertificate {
    private static final String PASSWORD = "loopback";
    private static final String ALIAS = "loopback";
    private static final int KEYTOOL_SECONDS = 60;

    private static final Map<CertificateKey, KeyStore> KEY_STORES = new EnumMap<>(CertificateKey.class);

    private final X509Certificate certificate;
    private final PrivateKey privateKey;
    private final SSLContext context;

    private SelfSignedCertificate(KeyStore store) throws GeneralSecurityException {
        certificate = (X509Certificate) store.getCertificate(ALIAS);
        privateKey = (PrivateKey) store.getKey(ALIAS, PASSWORD.toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
    }

    /**
     * A key and its certificate, created on first use.
     *
     * @throws IOException if this JDK has no keytool, or it fails
     */
    public static SelfSignedCertificate of(CertificateKey key) throws IOException {
        try {
            return new SelfSignedCertificate(made(key));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the TLS certificate just made: " + e.getMessage(), e);
        }
    }

    private static KeyStore made(CertificateKey key) throws IOException, GeneralSecurityException {
        synchronized (KEY_STORES) {
            KeyStore made = KEY_STORES.get(key);
            if (made == null) {
                made = make(key);
                KEY_STORES.put(key, made);
            }
            return made;
        }
    }

    private static KeyStore make(CertificateKey key) throws IOException, GeneralSecurityException {
        Path directory = Files.createTempDirectory("downbeat-tls");
        Path file = directory.resolve("key.p12");
        try {
            runKeytool(key, file);
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD.toCharArray());
            }
            return store;
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(directory);
        }
    }

    /** The certificate for clients to trust. */
    public X509Certificate certificate() {
        return certificate;
    }

    /** The corresponding key. */
    public PrivateKey privateKey() {
        return privateKey;
    }

    /** The server side of TLS connections. */
    public SSLContext context() {
        return context;
    }

    private static void runKeytool(CertificateKey key, Path file) throws IOException {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        List<String> command = new ArrayList<>(
                List.of(keytool.toString(), "-J-XX:+UseSerialGC", "-J-XX:TieredStopAtLevel=1", "-genkeypair"));
        command.addAll(List.of("-alias", ALIAS));
        command.addAll(
                switch (key) {
                    case RSA -> List.of("-keyalg", "RSA", "-keysize", "2048");
                    case EC -> List.of("-keyalg", "EC", "-groupname", "secp256r1");
                });
        command.addAll(List.of("-dname", "CN=localhost", "-ext", "san=dns:localhost,ip:127.0.0.1"));
        // Valid from yesterday, for clients with a slow clock.
        command.addAll(List.of("-startdate", "-1d", "-validity", "30"));
        command.addAll(List.of("-storetype", "PKCS12", "-keystore", file.toString(), "-storepass", PASSWORD));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException("cannot make a TLS certificate: no keytool at " + keytool, e);
        }
        await(process);
    }

    private static void await(Process process) throws IOException {
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            boolean hasEnded = process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS);
            String text = hasEnded ? new String(output.readAllBytes(), StandardCharsets.UTF_8).strip() : "nothing";
            if (!hasEnded || process.exitValue() != 0) {
                throw new IOException("cannot make a TLS certificate: keytool wrote " + Durations.quoted(text));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while keytool made a TLS certificate", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
