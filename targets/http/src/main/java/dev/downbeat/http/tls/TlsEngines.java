package dev.downbeat.http.tls;

import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Creates a target's TLS engines; trust is read once. Thread-safe. */
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
            engines.release(engine(0, List.of())); // reject an unknown protocol before anything is sent
        } catch (GeneralSecurityException | IllegalArgumentException refused) {
            throw new IllegalArgumentException("TLS: " + refused.getMessage(), refused);
        }
    }

    private static @Nullable List<TrustManager> trustManagers(TlsOptions options) throws GeneralSecurityException {
        if (!options.verify()) {
            return List.of(new TlsProvider.ServerTrust(null, engine -> {}));
        }
        if (options.trustStore().isEmpty()) {
            return null; // the JDK's default
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(options.trustStore().get());
        return List.of(factory.getTrustManagers());
    }

    /** A unique number for a connection slot. */
    public int newPlace() {
        return places.incrementAndGet();
    }

    /** Creates the engine for a slot; sessions pass from one connection of a slot to the next. */
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

    /** Whether ciphers work on off-heap memory. */
    public boolean isNative() {
        return options.provider().isNative();
    }

    public boolean resumed(SSLEngine engine, long beganMillis) {
        return engines.resumed(engine, beganMillis);
    }

    /** Releases an unused engine. */
    public void release(SSLEngine engine) {
        engines.release(engine);
    }
}
