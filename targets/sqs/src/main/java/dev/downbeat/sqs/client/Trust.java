package dev.downbeat.sqs.client;

import dev.downbeat.sqs.options.SqsOptions;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Verifies servers. */
final class Trust extends X509ExtendedTrustManager {
    private static final X509Certificate[] NO_ISSUERS = {};

    private final @Nullable X509ExtendedTrustManager manager;
    private final Runnable asked;

    /** Without a manager, every server is trusted. */
    private Trust(@Nullable X509ExtendedTrustManager manager, Runnable asked) {
        this.manager = manager;
        this.asked = asked;
    }

    /** An SSL context for the options, with a callback at each certificate check. */
    static SSLContext context(SqsOptions.Client options, Runnable asked) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {of(options, asked)}, null);
            return context;
        } catch (GeneralSecurityException refused) {
            throw new IllegalArgumentException("the certificate cannot be trusted: " + refused.getMessage(), refused);
        }
    }

    static TrustManager of(SqsOptions.Client options, Runnable asked) {
        try {
            return new Trust(options.verifyServer() ? manager(options) : null, asked);
        } catch (GeneralSecurityException | IOException refused) {
            throw new IllegalArgumentException("the certificate cannot be trusted: " + refused.getMessage(), refused);
        }
    }

    private static X509ExtendedTrustManager manager(SqsOptions.Client options)
            throws GeneralSecurityException, IOException {
        KeyStore store = null; // the JDK's default
        if (options.trusted().isPresent()) {
            store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("trusted", options.trusted().get());
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        asked.run();
        if (manager != null) {
            manager.checkServerTrusted(chain, type, socket);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        asked.run();
        if (manager != null) {
            manager.checkServerTrusted(chain, type, engine);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        asked.run();
        if (manager != null) {
            manager.checkServerTrusted(chain, type);
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        throw new CertificateException("we are no server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        throw new CertificateException("we are no server");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        throw new CertificateException("we are no server");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return manager == null ? NO_ISSUERS : manager.getAcceptedIssuers();
    }
}
