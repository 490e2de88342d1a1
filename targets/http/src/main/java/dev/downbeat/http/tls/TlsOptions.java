package dev.downbeat.http.tls;

import dev.downbeat.http.options.HttpOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Trust, client identity and encryption. Immutable; documented at the fields of {@link Draft}. The protocol offered in the
 * handshake (ALPN) follows from {@link HttpOptions#http}.
 */
public record TlsOptions(
        boolean verify,
        Optional<KeyStore> trustStore,
        List<KeyManager> clientKeys,
        List<String> protocols,
        Optional<String> serverName,
        boolean resume,
        TlsProvider provider) {
    public TlsOptions {
        clientKeys = List.copyOf(clientKeys);
        protocols = List.copyOf(protocols);
    }

    /** Mutable options with their defaults. Not thread-safe. */
    public static final class Draft {
        /** Whether to verify the server's certificate and name. */
        public boolean verify = true;

        /** The certificates to trust; the default is the JDK's. */
        public Optional<KeyStore> trustStore = Optional.empty();

        /** The identities to present to servers that request one. */
        public List<KeyManager> clientKeys = List.of();

        /** Protocol versions such as {@code TLSv1.2}; the default is the JDK's. */
        public List<String> protocols = List.of();

        /** The server name; the default is the host's name. */
        public Optional<String> serverName = Optional.empty();

        /** Whether to resume sessions; otherwise every handshake is a full one. */
        public boolean resume = true;

        /** The TLS implementation; the default is the JDK. */
        public TlsProvider provider = JdkTls.SHARED;

        /** Trusts this certificate, and those it has signed, instead of the JDK's trust store. */
        public void trust(X509Certificate certificate) {
            try {
                KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                store.setCertificateEntry("trusted", certificate);
                trustStore = Optional.of(store);
            } catch (GeneralSecurityException | IOException refused) {
                throw new IllegalArgumentException("TLS: " + refused.getMessage(), refused);
            }
        }

        /**
         * Presents a client certificate to servers that request one.
         *
         * @param store contains the key and its chain
         * @param password opens the key
         */
        public void clientKey(KeyStore store, char[] password) {
            try {
                KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(store, password);
                clientKeys = List.of(factory.getKeyManagers());
            } catch (GeneralSecurityException refused) {
                throw new IllegalArgumentException("client key: " + refused.getMessage(), refused);
            }
        }

        public TlsOptions options() {
            return new TlsOptions(verify, trustStore, clientKeys, protocols, serverName, resume, provider);
        }
    }

    /** The JDK's TLS. Engines need no explicit release. */
    private static final class JdkTls implements TlsProvider {
        static final TlsProvider SHARED = new JdkTls();

        private JdkTls() {}

        @Override
        public String name() {
            return "jdk";
        }

        @Override
        public boolean isNative() {
            return false;
        }

        @Override
        public Engines engines(
                @Nullable List<TrustManager> trust, List<KeyManager> keys, boolean resume, List<String> offered)
                throws GeneralSecurityException {
            return new Contexts(
                    trust == null ? null : trust.toArray(new TrustManager[0]),
                    keys.isEmpty() ? null : keys.toArray(new KeyManager[0]),
                    resume);
        }

        private static final class Contexts implements Engines {
            private final TrustManager @Nullable [] trust;
            private final KeyManager @Nullable [] keys;
            private final boolean resume;
            private final SSLContext shared;

            Contexts(TrustManager @Nullable [] trust, KeyManager @Nullable [] keys, boolean resume)
                    throws GeneralSecurityException {
                this.trust = trust;
                this.keys = keys;
                this.resume = resume;
                this.shared = newContext();
            }

            private SSLContext newContext() throws GeneralSecurityException {
                SSLContext fresh = SSLContext.getInstance("TLS");
                fresh.init(keys, trust, null);
                return fresh;
            }

            /**
             * The JDK caches one session per host and port, and a TLS 1.3 ticket may be used only once (RFC 8446, C.4).
             * Connections sharing it would nearly always make full handshakes. The port has no other use here, so the
             * slot's number replaces it, and each slot resumes the session of its previous connection.
             */
            @Override
            public SSLEngine newEngine(String host, int place) throws GeneralSecurityException {
                // Sessions belong to a context, so a new context has none to resume.
                SSLEngine engine = (resume ? shared : newContext()).createSSLEngine(host, place);
                engine.setUseClientMode(true);
                return engine;
            }

            /** A resumed session keeps the time of its first handshake. */
            @Override
            public boolean resumed(SSLEngine engine, long beganMillis) {
                return engine.getSession().getCreationTime() < beganMillis;
            }

            @Override
            public void release(SSLEngine engine) {}
        }
    }
}
