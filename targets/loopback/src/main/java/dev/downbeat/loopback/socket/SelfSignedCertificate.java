package dev.downbeat.loopback.socket;

import dev.downbeat.loopback.options.CertificateKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A key and a certificate for localhost and 127.0.0.1. The JDK has no public API that makes a certificate, and its
 * keytool is a second JVM, so the certificate is written here, byte by byte (RFC 5280). All servers of a process share
 * one; their sessions are separate.
 *
 * <p>Immutable and thread-safe.
 */
public final class SelfSignedCertificate {
    private static final char[] PASSWORD = "loopback".toCharArray();
    private static final String ALIAS = "loopback";
    private static final int DAYS = 30;
    private static final HexFormat HEX = HexFormat.of();

    /** Tags of ASN.1. */
    private static final int INTEGER = 0x02;

    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;
    private static final int VERSION = 0xa0;
    private static final int EXTENSIONS = 0xa3;

    private static final byte[] COMMON_NAME = HEX.parseHex("0603550403");
    private static final byte[] ALTERNATIVE_NAMES = HEX.parseHex("0603551d11");

    private static final Map<CertificateKey, KeyStore> KEY_STORES = new EnumMap<>(CertificateKey.class);

    private final X509Certificate certificate;
    private final PrivateKey privateKey;
    private final SSLContext context;

    private SelfSignedCertificate(KeyStore store) throws GeneralSecurityException {
        certificate = (X509Certificate) store.getCertificate(ALIAS);
        privateKey = (PrivateKey) store.getKey(ALIAS, PASSWORD);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
    }

    /** A key and its certificate, created on first use. */
    public static SelfSignedCertificate of(CertificateKey key) throws IOException {
        try {
            return new SelfSignedCertificate(keyStore(key));
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot make a TLS certificate: " + e.getMessage(), e);
        }
    }

    private static KeyStore keyStore(CertificateKey key) throws IOException, GeneralSecurityException {
        synchronized (KEY_STORES) {
            KeyStore keyStore = KEY_STORES.get(key);
            if (keyStore == null) {
                keyStore = switch (key) {
                    case RSA ->
                        keyStore(
                                "RSA",
                                new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4),
                                "SHA256withRSA",
                                HEX.parseHex("300d06092a864886f70d01010b0500"));
                    case EC ->
                        keyStore(
                                "EC",
                                new ECGenParameterSpec("secp256r1"),
                                "SHA256withECDSA",
                                HEX.parseHex("300a06082a8648ce3d040302"));
                };
                KEY_STORES.put(key, keyStore);
            }
            return keyStore;
        }
    }

    private static KeyStore keyStore(String algorithm, AlgorithmParameterSpec size, String signing, byte[] signingId)
            throws IOException, GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(size);
        KeyPair pair = generator.generateKeyPair();
        byte[] unsigned = unsigned(pair.getPublic().getEncoded(), signingId);
        Signature signature = Signature.getInstance(signing);
        signature.initSign(pair.getPrivate());
        signature.update(unsigned);
        byte[] signed = der(SEQUENCE, unsigned, signingId, der(BIT_STRING, new byte[1], signature.sign()));
        Certificate certificate =
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(ALIAS, pair.getPrivate(), PASSWORD, new Certificate[] {certificate});
        return store;
    }

    private static byte[] unsigned(byte[] publicKey, byte[] signingId) {
        byte[] serial = new byte[8];
        new SecureRandom().nextBytes(serial);
        serial[0] = (byte) (serial[0] & 0x3f | 0x40); // positive, and without leading zeros
        byte[] name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, ascii("localhost")))));
        OffsetDateTime from = OffsetDateTime.now(ZoneOffset.UTC).minusDays(1); // for clients with a slow clock
        byte[] names = der(SEQUENCE, der(DNS_NAME, ascii("localhost")), der(IP_ADDRESS, new byte[] {127, 0, 0, 1}));
        return der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})), // counted from 0
                der(INTEGER, serial),
                signingId,
                name,
                der(SEQUENCE, time(from), time(from.plusDays(DAYS))),
                name,
                publicKey,
                der(EXTENSIONS, der(SEQUENCE, der(SEQUENCE, ALTERNATIVE_NAMES, der(OCTET_STRING, names)))));
    }

    /** With two digits of the year, which stand for 1950 to 2049. */
    private static byte[] time(OffsetDateTime time) {
        return der(
                UTC_TIME, ascii(DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").format(time)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A tag, the length of all parts in as few bytes as possible, and the parts. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        if (length >= 0x100) {
            all.write(0x82);
            all.write(length >> 8);
        } else if (length >= 0x80) {
            all.write(0x81);
        }
        all.write(length);
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    public X509Certificate certificate() {
        return certificate;
    }

    public PrivateKey privateKey() {
        return privateKey;
    }

    /** The server side of TLS connections. */
    public SSLContext context() {
        return context;
    }
}
