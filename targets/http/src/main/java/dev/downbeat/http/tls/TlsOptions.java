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
 * Whom to trust, who we are, and how to encrypt. Immutable; made by {@link HttpOptions.Builder#tls}. Which
 * protocol the handshake offers (ALPN) follows from {@link HttpOptions#http}.
 *
 * @param verify whether the server's certificate and name are checked
 * @param trustStore certificates to trust instead of those the JDK trusts
 * @param clientKeys keys and certificates that say who we are
 * @param protocols the protocol versions to offer; empty for the JDK's choice
 * @param serverName the name to ask for (SNI) and to check, if it is not the host's
 * @param resume whether a new connection may continue an earlier session
 * @param provider who encrypts
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

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        private boolean verify = true;
        private Optional<KeyStore> trustStore = Optional.empty();
        private List<KeyManager> clientKeys = List.of();
        private List<String> protocols = List.of();
        private Optional<String> serverName = Optional.empty();
        private boolean resume = true;
        private TlsProvider provider = JdkTls.SHARED;

        private Builder() {}

        /** True unless said otherwise. */
        public Builder verify(boolean check) {
            verify = check;
            return this;
        }

        /** Trusts what is in this store instead of what the JDK trusts. */
        public Builder trust(KeyStore store) {
            trustStore = Optional.of(store);
            return this;
        }

        /** Trusts this certificate, and what it has signed, instead of what the JDK trusts. */
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
         * Shows a certificate of ours to servers that ask for one.
         *
         * @param store holds the key and its chain
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

        /** Such as {@code TLSv1.2}; the JDK's choice unless said otherwise. */
        public Builder protocols(List<String> versions) {
            protocols = List.copyOf(versions);
            return this;
        }

        /** The host's name unless said otherwise. */
        public Builder serverName(String name) {
            serverName = Optional.of(name);
            return this;
        }

        /** True unless said otherwise; false makes every handshake a full one. */
        public Builder resume(boolean sessions) {
            resume = sessions;
            return this;
        }

        /** The JDK unless said otherwise. */
        public Builder provider(TlsProvider who) {
            provider = Objects.requireNonNull(who, "who");
            return this;
        }

        public TlsOptions build() {
            return new TlsOptions(verify, trustStore, clientKeys, protocols, serverName, resume, provider);
        }
    }
}
