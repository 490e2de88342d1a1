package dev.downbeat.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A key (PKCS#8, plain or encrypted) and its certificates in OpenSSL's format (PEM, RFC 7468).
 */
public final class PemKey {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*(.*?)-----END \\1-----", Pattern.DOTALL);

    private PemKey() {}

    /** Whether a file looks like PEM, rather than PKCS12 or JKS. */
    public static boolean isPem(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains("-----BEGIN ");
    }

    /**
     * Creates a key store with one key.
     *
     * @param certificates the certificate followed by its chain; may also contain the key
     * @param key the key file; may be the same file
     * @param password opens the key, if it is encrypted, and the created store
     * @throws IllegalArgumentException if a file has unexpected content; the message names the accepted form, never the
     *     key
     */
    public static KeyStore store(Path certificates, Path key, char[] password) throws IOException {
        List<Certificate> chain = certificates(certificates);
        PrivateKey opened = key(key, password);
        if (!opened.getAlgorithm().equals(chain.get(0).getPublicKey().getAlgorithm())) {
            throw new IllegalArgumentException(
                    "key " + key + " is " + opened.getAlgorithm() + ", but the certificate in " + certificates + " is "
                            + chain.get(0).getPublicKey().getAlgorithm());
        }
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("key", opened, password, chain.toArray(new Certificate[0]));
            return store;
        } catch (GeneralSecurityException refused) {
            throw new IllegalArgumentException(key + ": " + refused.getMessage(), refused);
        }
    }

    private static List<Certificate> certificates(Path file) throws IOException {
        List<Certificate> chain = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks(file)) {
                if (block.name().equals("CERTIFICATE")) {
                    chain.add(factory.generateCertificate(new ByteArrayInputStream(block.bytes())));
                }
            }
        } catch (GeneralSecurityException corrupt) {
            throw new IllegalArgumentException(file + ": a certificate in it cannot be read", corrupt);
        }
        if (chain.isEmpty()) {
            throw new IllegalArgumentException(file + " holds no certificate (-----BEGIN CERTIFICATE-----)");
        }
        return chain;
    }

    /** The content between BEGIN and END; empty if encrypted in the old format. */
    private record Block(String name, String text) {
        byte[] bytes() {
            return text.contains(":") ? new byte[0] : Base64.getMimeDecoder().decode(text);
        }
    }

    private static List<Block> blocks(Path file) throws IOException {
        Matcher found = BLOCK.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
        try {
            List<Block> blocks = found.results()
                    .map(each -> new Block(each.group(1), each.group(2)))
                    .toList();
            blocks.forEach(Block::bytes); // rejected here, where the file is known
            return blocks;
        } catch (IllegalArgumentException corrupt) {
            throw new IllegalArgumentException(file + ": the content between BEGIN and END is not Base64", corrupt);
        }
    }

    private static PrivateKey key(Path file, char[] password) throws IOException {
        for (Block block : blocks(file)) {
            if (block.name().endsWith("PRIVATE KEY")) {
                boolean isEncrypted = block.name().startsWith("ENCRYPTED");
                if (!isEncrypted && !block.name().equals("PRIVATE KEY")) {
                    throw new IllegalArgumentException(file + ": a " + block.name() + " is not supported: run "
                            + conversion(block.text().contains("ENCRYPTED") ? "" : " -nocrypt", file));
                }
                try {
                    return ofPkcs8(isEncrypted ? decrypted(block.bytes(), password) : block.bytes());
                } catch (IOException notAes) {
                    throw new IllegalArgumentException(
                            file + ": the key's encryption is not supported: run "
                                    + conversion(" -v2 aes-256-cbc", file),
                            notAes);
                } catch (GeneralSecurityException refused) {
                    throw new IllegalArgumentException(
                            file + ": the key cannot be " + (isEncrypted ? "opened with the password" : "read"),
                            refused);
                }
            }
        }
        throw new IllegalArgumentException(file + " holds no key (accepted: PRIVATE KEY, ENCRYPTED PRIVATE KEY)");
    }

    /** A command for a POSIX shell. */
    private static String conversion(String options, Path file) {
        String name = file.toString();
        boolean isPlain = name.matches("[\\w./+-]+");
        return "openssl pkcs8 -topk8" + options + " -in " + (isPlain ? name : "'" + name.replace("'", "'\\''") + "'")
                + " -out key8.pem";
    }

    private static PrivateKey ofPkcs8(byte[] bytes) throws GeneralSecurityException {
        PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(bytes);
        for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException other) {
                // a key of another kind
            }
        }
        throw new InvalidKeySpecException("neither RSA nor EC nor EdDSA");
    }

    private static byte[] decrypted(byte[] bytes, char[] password) throws GeneralSecurityException, IOException {
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(bytes);
        // for PBES2 the ciphers are in the parameters, not in the name
        String name = info.getAlgName().equals("PBES2") || info.getAlgName().startsWith("1.2.840.113549.1.5.13")
                ? String.valueOf(info.getAlgParameters())
                : info.getAlgName();
        Cipher cipher = Cipher.getInstance(name);
        cipher.init(
                Cipher.DECRYPT_MODE,
                SecretKeyFactory.getInstance(name).generateSecret(new PBEKeySpec(password)),
                info.getAlgParameters());
        return cipher.doFinal(info.getEncryptedData());
    }
}
