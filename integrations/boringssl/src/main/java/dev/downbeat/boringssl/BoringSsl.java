package dev.downbeat.boringssl;

import dev.downbeat.http.tls.TlsProvider;
import io.netty.handler.ssl.OpenSsl;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
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
}
