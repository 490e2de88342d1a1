package dev.downbeat.sqs.client;

import dev.downbeat.http.tls.TlsProvider;
import dev.downbeat.sqs.options.SqsOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.utils.AttributeMap;

/** How the SDK's clients verify servers. */
final class Trust {
    private Trust() {}

    /** An SSL context for the options, with a callback at each certificate check. */
    static SSLContext context(SqsOptions.SqsClientOptions options, Runnable onCheck) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {of(options, onCheck)}, null);
            return context;
        } catch (GeneralSecurityException refused) {
            throw new IllegalArgumentException("the certificate cannot be trusted: " + refused.getMessage(), refused);
        }
    }

    static TrustManager of(SqsOptions.SqsClientOptions options, Runnable onCheck) {
        try {
            return new TlsProvider.ServerTrust(
                    options.verifyServer() ? manager(options) : null, engine -> onCheck.run());
        } catch (GeneralSecurityException | IOException refused) {
            throw new IllegalArgumentException("the certificate cannot be trusted: " + refused.getMessage(), refused);
        }
    }

    /** Trusts every server, for clients without a trust manager of their own. */
    static AttributeMap all() {
        return AttributeMap.builder()
                .put(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true)
                .build();
    }

    private static X509ExtendedTrustManager manager(SqsOptions.SqsClientOptions options)
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
}
