package dev.downbeat.http.tls;

import dev.downbeat.http.options.HttpOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;

/**
 * Trust, client identity and encryption. Immutable; created by {@link HttpOptions.Builder#tls}. The protocol offered in
 * the handshake (ALPN) follows from {@link HttpOptions#http}.
 *
 * @param verify whether to verify the server's certificate and name
 * @param trustStore trusted certificates, instead of the JDK's
 * @param clientKeys client keys and certificates
 * @param protocols the protocol versions to offer; empty for the JDK's default
 * @param serverName the name to request (SNI) and verify, if not the host's
 * @param resume whether new connections may resume sessions
 * @param provider the TLS implementation
 */
public record TlsOptions(
        boolean verify,
        Optional<KeyStore> trustStore,
        List<KeyManager> clientKeys,
        List<String> protocols,
        Optional<String> serverName,
        boolean resume,
        TlsProvider provider) {
    public static Builder builder() {
        return new Builder();
    }

    /** A builder. Not thread-safe. */
    public static final class Builder {
        private boolean verify = true;
        private Optional<KeyStore> trustStore = Optional.empty();
        private List<KeyManager> clientKeys = List.of();
        private List<String> protocols = List.of();
        private Optional<String> serverName = Optional.empty();
        private boolean resume = true;
        private TlsProvider provider = JdkTls.SHARED;

        private Builder() {}

        /** Whether to verify the server; the default is true. */
        public Builder verify(boolean check) {
            verify = check;
            return this;
        }

        /** Trusts the certificates in this store instead of the JDK's. */
        public Builder trust(KeyStore store) {
            trustStore = Optional.of(store);
            return this;
        }

        /** Trusts this certificate, and those it has signed, instead of the JDK's trust store. */
        public Builder trust(X509Certificate certificate) {
            Objects.requireNonNull(certificate, "certificate");
            try {
                KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                store.setCertificateEntry("trusted", certificate);
                return trust(store);
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
        public Builder clientKey(KeyStore store, char[] password) {
            try {
                KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
                factory.init(store, password);
                clientKeys = List.of(factory.getKeyManagers());
                return this;
            } catch (GeneralSecurityException refused) {
                throw new IllegalArgumentException("client key: " + refused.getMessage(), refused);
            }
        }

        /** Protocol versions such as {@code TLSv1.2}; the default is the JDK's. */
        public Builder protocols(List<String> versions) {
            protocols = List.copyOf(versions);
            return this;
        }

        /** The server name; the default is the host's name. */
        public Builder serverName(String name) {
            serverName = Optional.of(name);
            return this;
        }

        /** Whether to resume sessions; the default is true. False makes every handshake a full one. */
        public Builder resume(boolean sessions) {
            resume = sessions;
            return this;
        }

        /** The TLS implementation; the default is the JDK. */
        public Builder provider(TlsProvider who) {
            provider = Objects.requireNonNull(who, "who");
            return this;
        }

        public TlsOptions build() {
            return new TlsOptions(verify, trustStore, clientKeys, protocols, serverName, resume, provider);
        }
    }
}
