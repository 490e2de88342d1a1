package dev.downbeat.loopback.options;

/** The kind of key in the certificate that the server shows over TLS. */
public enum CertificateKey {
    /** RSA with 2048 bits. */
    RSA,
    /** Elliptic curve P-256. */
    EC
}
