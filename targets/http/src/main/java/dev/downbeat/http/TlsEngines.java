package dev.downbeat.http;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the TLS engines of a target: whom to trust is settled once. Thread-safe. */
final class TlsEngines {
    private final HttpEndpoint endpoint;
    private final TlsOptions options;
    private final TrustManager @Nullable [] trust;
    private final SSLContext context;
    private final AtomicInteger places = new AtomicInteger();

    TlsEngines(HttpEndpoint endpoint, TlsOptions options) {
        this.endpoint = endpoint;
        this.options = options;
        try {
            this.trust = trustManagers(options);
            this.context = newContext();
            engine(0); // refuses a protocol that the JDK does not know before anything is sent
        } catch (GeneralSecurityException | IllegalArgumentException refused) {
            throw new IllegalArgumentException("TLS: " + refused.getMessage(), refused);
        }
    }

    private static TrustManager @Nullable [] trustManagers(TlsOptions options) throws GeneralSecurityException {
        if (!options.verify()) {
            return new TrustManager[] {new TrustAll()};
        }
        if (options.trustStore().isEmpty()) {
            return null; // those of the JDK
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(options.trustStore().get());
        return factory.getTrustManagers();
    }

    private SSLContext newContext() throws GeneralSecurityException {
        SSLContext fresh = SSLContext.getInstance("TLS");
        List<KeyManager> keys = options.clientKeys();
        fresh.init(keys.isEmpty() ? null : keys.toArray(new KeyManager[0]), trust, null);
        return fresh;
    }

    /** A number that no other place for a connection has. */
    int newPlace() {
        return places.incrementAndGet();
    }

    /**
     * Makes the engine of a connection. The JDK keeps one session for each host and port, and a ticket of TLS 1.3 may be used
     * once (RFC 8446, C.4): connections that shared it would nearly all make a full handshake. Nothing else is done with the
     * port, so the number of the place stands in for it, and each place goes on with what its last connection was given.
     */
    SSLEngine newEngine(int place) throws SSLException {
        try {
            return engine(place);
        } catch (GeneralSecurityException refused) {
            throw new SSLException(refused);
        }
    }

    private SSLEngine engine(int place) throws GeneralSecurityException {
        // Sessions live in their context: a context of its own has none that could be resumed.
        SSLContext from = options.resume() ? context : newContext();
        SSLEngine engine = from.createSSLEngine(options.serverName().orElse(endpoint.host()), place);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        if (options.verify()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (options.serverName().isPresent()) {
            parameters.setServerNames(
                    List.of(new SNIHostName(options.serverName().get())));
        }
        if (!options.protocols().isEmpty()) {
            parameters.setProtocols(options.protocols().toArray(new String[0]));
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
