package dev.downbeat.http.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A TLS implementation other than the JDK's. Thread-safe. */
public interface TlsProvider {
    /** A one-word name for reports. */
    String name();

    /** Whether it works on off-heap memory; the JDK's ciphers work on arrays. */
    boolean isNative();

    /**
     * Creates the engine factory for one target.
     *
     * @param trust trust managers; null for the JDK's
     * @param keys client keys; may be empty
     * @param resume whether connections may resume sessions
     * @param offered protocols for the server to choose from (ALPN), in order of preference; empty to offer none. The
     *     parameters of each engine contain them too, if any
     * @throws GeneralSecurityException if it rejects the trust managers or the keys
     */
    Engines engines(@Nullable List<TrustManager> trust, List<KeyManager> keys, boolean resume, List<String> offered)
            throws GeneralSecurityException;

    /** Creates the engines of one target. Thread-safe. */
    interface Engines {
        /**
         * Creates a client engine; the caller sets its parameters.
         *
         * @param host the server, and the requested name unless the parameters set another
         * @param place sessions are resumed by engines with the same host and place
         */
        SSLEngine newEngine(String host, int place) throws GeneralSecurityException;

        /**
         * Whether a completed handshake resumed a session. Called once per engine.
         *
         * @param beganMillis wall-clock time of the engine's creation
         */
        boolean resumed(SSLEngine engine, long beganMillis);

        void release(SSLEngine engine);
    }

    /** Verifies servers with another trust manager, or trusts all, and reports each check. Thread-safe. */
    final class ServerTrust extends X509ExtendedTrustManager {
        private final @Nullable X509ExtendedTrustManager manager;
        private final Consumer<@Nullable SSLEngine> onCheck;

        /**
         * Creates a trust manager for clients.
         *
         * @param manager null trusts every server
         * @param onCheck called before each check, with the engine if there is one
         */
        public ServerTrust(@Nullable X509ExtendedTrustManager manager, Consumer<@Nullable SSLEngine> onCheck) {
            this.manager = manager;
            this.onCheck = onCheck;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            onCheck.accept(engine);
            if (manager != null) {
                manager.checkServerTrusted(chain, type, engine);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, @Nullable Socket socket)
                throws CertificateException {
            onCheck.accept(null);
            if (manager != null) {
                manager.checkServerTrusted(chain, type, socket);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            checkServerTrusted(chain, type, (Socket) null);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("this is not a server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return manager == null ? new X509Certificate[0] : manager.getAcceptedIssuers();
        }
    }
}
