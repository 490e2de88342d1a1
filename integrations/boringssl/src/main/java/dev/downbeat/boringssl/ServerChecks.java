package dev.downbeat.boringssl;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Delegates server checks and records which engines requested one. Thread-safe. */
final class ServerChecks extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager other;
    private final Set<SSLEngine> checked =
            Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    ServerChecks(X509ExtendedTrustManager other) {
        this.other = other;
    }

    boolean hasChecked(SSLEngine engine) {
        return checked.contains(engine);
    }

    void forget(SSLEngine engine) {
        checked.remove(engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        checked.add(engine);
        other.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        other.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        other.checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        other.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        other.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        other.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return other.getAcceptedIssuers();
    }
}
