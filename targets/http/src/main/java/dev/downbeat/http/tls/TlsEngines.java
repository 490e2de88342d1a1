package dev.downbeat.http.tls;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes the TLS engines of a target: whom to trust is settled once. Thread-safe. */
public final class TlsEngines {
    private final String host;
    private final TlsOptions options;
    private final TlsProvider.Engines engines;
    private final AtomicInteger places = new AtomicInteger();

    public TlsEngines(String host, TlsOptions options, List<String> offered) {
        this.host = host;
        this.options = options;
        try {
            this.engines =
                    options.provider().engines(trustManagers(options), options.clientKeys(), options.resume(), offered);
            engines.release(engine(0, List.of())); // refuses a protocol that it does not know before anything is sent
        } catch (GeneralSecurityException | IllegalArgumentException refused) {
            throw new IllegalArgumentException("TLS: " + refused.getMessage(), refused);
        }
    }

    private static @Nullable List<TrustManager> trustManagers(TlsOptions options) throws GeneralSecurityException {
        if (!options.verify()) {
            return List.of(new TrustAll());
        }
        if (options.trustStore().isEmpty()) {
            return null; // those of the JDK
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(options.trustStore().get());
        return List.of(factory.getTrustManagers());
    }

    /** A number that no other place for a connection has. */
    public int newPlace() {
        return places.incrementAndGet();
    }

    /** Makes the engine of a connection in a place; sessions go from one connection of a place to the next. */
    public SSLEngine newEngine(int place, List<String> offered) throws SSLException {
        try {
            return engine(place, offered);
        } catch (GeneralSecurityException refused) {
            throw new SSLException(refused);
        }
    }

    private SSLEngine engine(int place, List<String> offered) throws GeneralSecurityException {
        SSLEngine engine = engines.newEngine(options.serverName().orElse(host), place);
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
        if (!offered.isEmpty()) {
            parameters.setApplicationProtocols(offered.toArray(new String[0]));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /** Whether ciphers work on memory outside the heap. */
    public boolean isNative() {
        return options.provider().isNative();
    }

    public boolean resumed(SSLEngine engine, long beganMillis) {
        return engines.resumed(engine, beganMillis);
    }

    /** Nobody uses it any more. */
    public void release(SSLEngine engine) {
        engines.release(engine);
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
