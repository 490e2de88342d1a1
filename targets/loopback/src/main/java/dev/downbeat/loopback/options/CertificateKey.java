package dev.downbeat.loopback.options;

/** The key type of the server's TLS certificate. */
public enum CertificateKey {
    /** RSA with 2048 bits. */
    RSA,
    /** Elliptic curve P-256. */
    EC
}
