package dev.downbeat.http;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the TLS engines of a target: whom to trust is settled once. Thread-safe. */
final class TlsEngines {
    private final HttpEndpoint endpoint;
    private final boolean verify;
    private final SSLContext context;

    TlsEngines(HttpEndpoint endpoint, HttpOptions options) {
        this.endpoint = endpoint;
        this.verify = options.verify();
        try {
            this.context = SSLContext.getInstance("TLS");
            context.init(null, trustManagers(options), null);
        } catch (GeneralSecurityException | IOException refused) {
            throw new IllegalArgumentException("TLS: " + refused.getMessage(), refused);
        }
    }

    private static TrustManager @Nullable [] trustManagers(HttpOptions options)
            throws GeneralSecurityException, IOException {
        if (!options.verify()) {
            return new TrustManager[] {new TrustAll()};
        }
        if (options.trusted().isEmpty()) {
            return null; // those of the JDK
        }
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        store.setCertificateEntry("trusted", options.trusted().get());
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    SSLEngine newEngine() {
        SSLEngine engine = context.createSSLEngine(endpoint.host(), endpoint.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (verify) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** For {@code --insecure}: the user has said that it does not matter who answers. */
    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
