package dev.downbeat.http.tls;

import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** The JDK's TLS. Engines need no explicit release. */
final class JdkTls implements TlsProvider {
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
