package dev.downbeat.boringssl;

import dev.downbeat.http.tls.TlsProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * One context for all engines of a target: sessions are cached by host and port, and used once in TLS 1.3. Thread-safe.
 */
final class NativeEngines implements TlsProvider.Engines {
    private final SslContext context;
    private final ServerChecks checks;

    NativeEngines(@Nullable List<TrustManager> trust, List<KeyManager> keys, boolean resume, List<String> offered)
            throws GeneralSecurityException, SSLException {
        checks = new ServerChecks(extended(trust == null ? ofJdk() : trust));
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL_REFCNT)
                .trustManager(checks);
        if (!keys.isEmpty()) {
            builder.keyManager(keys.get(0));
        }
        if (!offered.isEmpty()) {
            // OpenSSL supports only these two modes; the engine reports the protocol chosen, if any.
            builder.applicationProtocolConfig(new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    offered));
        }
        context = builder.build();
        ((OpenSslSessionContext) context.sessionContext()).setSessionCacheEnabled(resume);
    }

    private static List<TrustManager> ofJdk() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return Arrays.asList(factory.getTrustManagers());
    }

    private static X509ExtendedTrustManager extended(List<TrustManager> trust) throws GeneralSecurityException {
        for (TrustManager manager : trust) {
            if (manager instanceof X509ExtendedTrustManager extended) {
                return extended;
            }
        }
        throw new GeneralSecurityException("no trust manager checks certificates with the name of their server");
    }

    @Override
    public SSLEngine newEngine(String host, int place) {
        return context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, place);
    }

    /** A resumed session presents no certificate to check. */
    @Override
    public boolean resumed(SSLEngine engine, long beganMillis) {
        return !checks.hasChecked(engine);
    }

    @Override
    public void release(SSLEngine engine) {
        checks.forget(engine);
        ReferenceCountUtil.release(engine);
    }
}
