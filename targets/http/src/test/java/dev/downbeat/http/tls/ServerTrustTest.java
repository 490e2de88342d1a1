package dev.downbeat.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServerTrustTest {
    private static final X509Certificate[] CHAIN = {};

    @Test
    void a_server_is_checked_by_the_manager_for_engines_for_sockets_and_for_neither() throws GeneralSecurityException {
        AtomicInteger checks = new AtomicInteger();
        var manager = new TlsProvider.ServerTrust(null, engine -> checks.incrementAndGet());
        var trust = new TlsProvider.ServerTrust(manager, engine -> {});
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        trust.checkServerTrusted(CHAIN, "RSA", engine);
        assertThat(checks).hasValue(1);
        trust.checkServerTrusted(CHAIN, "RSA", new Socket());
        assertThat(checks).hasValue(2);
        trust.checkServerTrusted(CHAIN, "RSA");
        assertThat(checks).hasValue(3);
        assertThatThrownBy(() -> trust.checkClientTrusted(CHAIN, "RSA", engine))
                .isInstanceOf(CertificateException.class);
    }
}
