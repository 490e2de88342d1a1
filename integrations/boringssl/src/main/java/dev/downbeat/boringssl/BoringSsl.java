package dev.downbeat.boringssl;

import dev.downbeat.http.tls.TlsProvider;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * BoringSSL as packaged by Netty (netty-tcnative): its ciphers are native code and need no warm-up. Linux and macOS on
 * x86-64 and ARM, Windows on x86-64. Thread-safe.
 */
public final class BoringSsl implements TlsProvider {
    /**
     * Loads the native library.
     *
     * @throws IllegalStateException if there is none for this platform
     */
    public BoringSsl() {
        if (!OpenSsl.isAvailable()) {
            Throwable cause = OpenSsl.unavailabilityCause();
            throw new IllegalStateException("BoringSSL cannot be loaded: " + cause.getMessage(), cause);
        }
    }

    @Override
    public String name() {
        return "boringssl";
    }

    @Override
    public boolean isNative() {
        return true;
    }

    @Override
    public Engines engines(
            @Nullable List<TrustManager> trust, List<KeyManager> keys, boolean resume, List<String> offered)
            throws GeneralSecurityException {
        try {
            return new NativeEngines(trust, keys, resume, offered);
        } catch (SSLException refused) {
            throw new GeneralSecurityException(refused.getMessage(), refused);
        }
    }

    /**
     * One context for all engines of a target: sessions are cached by host and port, and used once in TLS 1.3.
     * Thread-safe.
     */
    private static final class NativeEngines implements TlsProvider.Engines {
        private final SslContext context;

        /** The engines whose server presented a certificate. */
        private final Set<SSLEngine> checked =
                Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

        NativeEngines(@Nullable List<TrustManager> trust, List<KeyManager> keys, boolean resume, List<String> offered)
                throws GeneralSecurityException, SSLException {
            SslContextBuilder builder = SslContextBuilder.forClient()
                    .sslProvider(SslProvider.OPENSSL_REFCNT)
                    .trustManager(new TlsProvider.ServerTrust(extended(trust == null ? ofJdk() : trust), checked::add));
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
            return !checked.contains(engine);
        }

        @Override
        public void release(SSLEngine engine) {
            checked.remove(engine);
            ReferenceCountUtil.release(engine);
        }
    }
}
