package dev.downbeat.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Objects;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that OpenSSL 3 wrote ({@code pem/make.sh}), in PKCS#8. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PemKeyTest {
    private static final char[] PASSWORD = "open sesame".toCharArray();

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private Path file(String name) throws IOException {
        byte[] bytes = Objects.requireNonNull(PemKeyTest.class.getResourceAsStream("pem/" + name), name)
                .readAllBytes();
        return Files.write(folder.resolve(name), bytes);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"rsa-pkcs8", "rsa-pkcs8-encrypted", "ec-pkcs8", "ec-pkcs8-encrypted", "ed25519-pkcs8"})
    void a_key_signs_what_its_certificate_verifies(String form) throws IOException, GeneralSecurityException {
        String kind = form.substring(0, form.indexOf('-'));
        KeyStore store = PemKey.store(file(kind + ".crt"), file(form + ".pem"), PASSWORD);
        byte[] text = "on time".getBytes(StandardCharsets.UTF_8);
        String how = kind.equals("rsa") ? "SHA256withRSA" : kind.equals("ec") ? "SHA256withECDSA" : "Ed25519";
        Signature signer = Signature.getInstance(how);
        signer.initSign((PrivateKey) store.getKey("key", PASSWORD));
        signer.update(text);
        byte[] signed = signer.sign();
        Signature verifier = Signature.getInstance(how);
        verifier.initVerify(store.getCertificate("key"));
        verifier.update(text);
        assertThat(verifier.verify(signed)).isTrue();
    }

    @Test
    void an_unreadable_file_is_refused_with_the_accepted_formats() throws IOException {
        Path certificate = file("rsa.crt");
        assertThatThrownBy(() -> PemKey.store(certificate, file("rsa-pkcs8-encrypted.pem"), "wrong".toCharArray()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("rsa-pkcs8-encrypted.pem: the key cannot be opened with the password");
        assertThatThrownBy(() -> PemKey.store(certificate, file("rsa-pkcs8-encrypted-3des.pem"), PASSWORD))
                .hasMessageContaining("-v2 aes-256-cbc");
        assertThatThrownBy(() -> PemKey.store(certificate, certificate, PASSWORD))
                .hasMessageContaining("holds no key (accepted: PRIVATE KEY");
        assertThatThrownBy(() -> PemKey.store(file("rsa-pkcs8.pem"), file("rsa-pkcs8.pem"), PASSWORD))
                .hasMessageContaining("holds no certificate");
        assertThatThrownBy(() -> PemKey.store(certificate, file("rsa-pkcs1-encrypted.pem"), PASSWORD))
                .hasMessageContaining("openssl pkcs8 -topk8");
        for (String older : new String[] {"rsa-pkcs1.pem", "ec-sec1.pem"}) {
            assertThatThrownBy(() -> PemKey.store(certificate, file(older), PASSWORD))
                    .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt -in " + file(older));
        }
        assertThatThrownBy(() -> PemKey.store(certificate, file("ec-pkcs8.pem"), PASSWORD))
                .hasMessageContaining("is EC, but the certificate in");
        Path cut = Files.writeString(
                folder.resolve("cut.pem"), "-----BEGIN PRIVATE KEY-----\nMHcC\n-----END PRIVATE KEY-----\n");
        assertThatThrownBy(() -> PemKey.store(certificate, cut, PASSWORD))
                .hasMessageEndingWith("the key cannot be read");
    }
}
