package dev.downbeat.cli.measurement.value;

/** {@code --tls-engine}: the TLS implementation. */
public enum TlsEngine {
    /** The JDK's, always available. */
    JDK,
    /** BoringSSL, from a separate jar. */
    BORINGSSL,
    /** BoringSSL where it is available. */
    AUTO
}
